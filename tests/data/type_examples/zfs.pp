zfs { 'tank/home':
  ensure      => present,
  compression => 'lz4',
  quota       => '100G',
}
