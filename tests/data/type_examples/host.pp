host { 'db1.example.com':
  ip           => '192.0.2.10',
  host_aliases => ['db1'],
}
