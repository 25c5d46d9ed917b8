# A monitoring server. It reads each file of its directory.
#
# @param interval
#   The time between two runs of a check, in seconds.
class monitoring (
  Integer[1] $interval = 60,
) {
  package { 'vigil':
    ensure => installed,
  }

  file { '/etc/vigil/checks.d':
    ensure  => directory,
    purge   => true,
    recurse => true,
    require => Package['vigil'],
    notify  => Service['vigil'],
  }

  service { 'vigil':
    ensure => running,
    enable => true,
  }
}
