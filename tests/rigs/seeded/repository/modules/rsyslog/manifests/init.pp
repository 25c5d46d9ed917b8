# The logs of a node, and the server that collects them.
#
# @param server
#   The name of the server that takes the logs.
#
# @param port
#   Where the server listens.
#
# @param facilities
#   The facilities that are sent.
class rsyslog (
  String[1] $server,
  Integer[1, 65535] $port,
  Array[Enum['auth', 'cron', 'daemon', 'mail'], 1] $facilities = ['auth', 'daemon'],
) {
  package { 'rsyslog':
    ensure => installed,
  }

  file { '/etc/rsyslog.conf':
    ensure  => file,
    owner   => 'root',
    group   => 'root',
    mode    => '0644',
    source  => 'puppet:///modules/rsyslog/rsyslog.conf',
    require => Package['rsyslog'],
    notify  => Service['rsyslog'],
  }

  file { '/etc/rsyslog.d':
    ensure  => directory,
    source  => 'puppet:///modules/rsyslog/conf.d',
    recurse => true,
    require => Package['rsyslog'],
    notify  => Service['rsyslog'],
  }

  file { '/etc/rsyslog.d/50-remote.conf':
    ensure  => file,
    mode    => '0644',
    content => template('rsyslog/remote.conf.erb'),
    notify  => Service['rsyslog'],
  }

  file { '/etc/logrotate.d/rsyslog':
    ensure => file,
    mode   => '0644',
    source => [
      "puppet:///modules/rsyslog/rotate.${facts['os']['family']}",
      'puppet:///modules/rsyslog/rotate.default',
    ],
  }

  service { 'rsyslog':
    ensure => running,
    enable => true,
  }
}
