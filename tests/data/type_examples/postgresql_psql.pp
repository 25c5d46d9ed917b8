postgresql_psql { 'CREATE ROLE app':
  command => Sensitive("CREATE ROLE app LOGIN PASSWORD 'secret'"),
  unless  => "SELECT 1 FROM pg_roles WHERE rolname = 'app'",
  db      => 'postgres',
}
