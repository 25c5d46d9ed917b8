cron { 'rotate the exports':
  command => '/usr/local/bin/rotate-exports',
  user    => 'root',
  hour    => 3,
  minute  => [0, 30],
}
