mysql_datadir { '/srv/mysql':
  ensure  => present,
  basedir => '/usr',
  user    => 'mysql',
}
