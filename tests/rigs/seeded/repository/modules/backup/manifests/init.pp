# Copies of a node on another host.
#
# @param target
#   The host that takes the copies.
#
# @param account
#   The name and the password for the host.
#
# @param jobs
#   What is copied.
class backup (
  String[1] $target,
  Struct[{ 'user' => String[1], 'password' => Sensitive[String[1]] }] $account,
  Hash[String[1], Hash] $jobs = {},
) {
  package { 'restic':
    ensure => installed,
  }

  file { '/etc/backup.conf':
    ensure  => file,
    owner   => 'root',
    mode    => '0600',
    content => epp('backup/backup.conf.epp', { 'target' => $target, 'account' => $account }),
    require => Package['restic'],
  }

  $jobs.each |$name, $job| {
    backup::job { $name:
      * => $job,
    }
  }
}
