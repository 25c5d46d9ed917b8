ssh_config { 'ForwardAgent':
  ensure => present,
  host   => '*.example.net',
  value  => 'no',
}
