postgresql_conf { 'max_connections_main':
  ensure => present,
  target => '/etc/postgresql/15/main/postgresql.conf',
  key    => 'max_connections',
  value  => 200,
}
