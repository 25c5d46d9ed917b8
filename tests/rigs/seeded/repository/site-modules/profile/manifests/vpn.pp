# A gateway for those who work elsewhere.
#
# @param users
#   Who may connect.
#
# @param network
#   The addresses of the clients.
class profile::vpn (
  Array[String[1]] $users,
  Pattern[/\A\d+\.\d+\.\d+\.\d+\/\d+\z/] $network,
) {
  package { 'openvpn':
    ensure => installed,
  }

  file { '/etc/openvpn/server.conf':
    ensure  => file,
    owner   => 'root',
    group   => 'root',
    mode    => '0640',
    content => epp('profile/openvpn.conf.epp', { 'network' => $network, 'users' => $users }),
    require => Package['openvpn'],
  }

  $users.each |$user| {
    profile::account { $user:
      groups => ['vpn'],
    }
  }

  service { 'openvpn':
    ensure    => running,
    enable    => true,
    subscribe => File['/etc/openvpn/server.conf'],
  }
}
