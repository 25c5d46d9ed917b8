ini_subsetting { 'memory of the application':
  ensure            => present,
  path              => '/etc/default/application',
  section           => '',
  setting           => 'JAVA_ARGS',
  subsetting        => '-Xmx',
  value             => '512m',
}
