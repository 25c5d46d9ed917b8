tcp_conn_validator { 'database':
  host    => 'db.example.com',
  port    => 5432,
  timeout => 30,
}
