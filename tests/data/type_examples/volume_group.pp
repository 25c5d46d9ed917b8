volume_group { 'data':
  ensure           => present,
  physical_volumes => ['/dev/sdb', '/dev/sdc'],
}
