mysql_user { 'app@localhost':
  ensure               => present,
  password_hash        => Sensitive('*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'),
  max_user_connections => 20,
  tls_options          => ['NONE'],
}
