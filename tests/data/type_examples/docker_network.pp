docker_network { 'app':
  ensure  => present,
  driver  => 'bridge',
  subnet  => '192.168.7.0/24',
  gateway => '192.168.7.1',
}
