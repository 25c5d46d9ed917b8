mysql_grant { 'app@localhost/shop.*':
  ensure     => present,
  user       => 'app@localhost',
  table      => 'shop.*',
  privileges => ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
}
