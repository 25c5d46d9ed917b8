mysql_plugin { 'simple_password_check':
  ensure => present,
  soname => 'simple_password_check.so',
}
