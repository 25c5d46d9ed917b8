schedule { 'at night':
  range  => '2 - 4',
  period => daily,
}

exec { '/usr/local/bin/clean-up':
  schedule => 'at night',
}
