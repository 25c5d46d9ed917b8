sysctl { 'net.ipv4.ip_forward':
  ensure  => present,
  value   => '1',
  target  => '/etc/sysctl.d/60-router.conf',
  comment => 'this machine is a router',
}
