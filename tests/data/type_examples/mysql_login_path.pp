mysql_login_path { 'backup':
  ensure   => present,
  owner    => 'root',
  host     => 'db.example.com',
  user     => 'backup',
  password => Sensitive('change-this-password'),
  port     => 3306,
}
