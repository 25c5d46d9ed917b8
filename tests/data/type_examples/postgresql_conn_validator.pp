postgresql_conn_validator { 'shop':
  host        => 'db.example.com',
  db_name     => 'shop',
  db_username => 'app',
  db_password => Sensitive('secret'),
  psql_path   => '/usr/bin/psql',
}
