ini_setting { 'port of the application':
  ensure  => present,
  path    => '/etc/application.ini',
  section => 'server',
  setting => 'port',
  value   => '8080',
}
