# The server that collects the logs of others.
#
# @param directory
#   Where the logs are.
#
# @param days
#   How long they stay.
class rsyslog::server (
  Pattern[/\A\//] $directory,
  Integer[1] $days = 30,
) {
  include rsyslog

  file { $directory:
    ensure => directory,
    owner  => 'syslog',
    group  => 'adm',
    mode   => '0750',
  }

  file { '/usr/local/sbin/prune-logs':
    ensure => file,
    mode   => '0755',
    source => 'puppet:///modules/rsyslog/prune-logs.sh',
  }

  cron { 'prune-logs':
    command => "/usr/local/sbin/prune-logs ${directory} ${days}",
    user    => 'root',
    hour    => 3,
    minute  => 15,
    require => File['/usr/local/sbin/prune-logs'],
  }
}
