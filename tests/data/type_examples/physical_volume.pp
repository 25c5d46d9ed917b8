physical_volume { '/dev/sdb':
  ensure => present,
}
