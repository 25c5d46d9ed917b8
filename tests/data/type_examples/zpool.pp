zpool { 'tank':
  ensure => present,
  mirror => ['/dev/sdb /dev/sdc'],
}
