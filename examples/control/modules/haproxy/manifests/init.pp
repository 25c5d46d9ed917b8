# The load balancer HAProxy. It reads each file of its directory.
#
# @param balance
#   How a server is chosen.
#
# @param timeout
#   When a server is given up, in seconds.
class haproxy (
  Enum['leastconn', 'roundrobin', 'source'] $balance = 'roundrobin',
  Integer[1] $timeout = 5,
) {
  package { 'haproxy':
    ensure => installed,
  }

  file { '/etc/haproxy/conf.d':
    ensure  => directory,
    purge   => true,
    recurse => true,
    require => Package['haproxy'],
    notify  => Service['haproxy'],
  }

  file { '/etc/haproxy/haproxy.cfg':
    ensure  => file,
    mode    => '0644',
    content => epp('haproxy/haproxy.cfg.epp', { 'balance' => $balance, 'timeout' => $timeout }),
    require => Package['haproxy'],
    notify  => Service['haproxy'],
  }

  service { 'haproxy':
    ensure => running,
    enable => true,
  }
}
