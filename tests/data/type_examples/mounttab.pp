mounttab { '/srv':
  ensure  => present,
  device  => '/dev/vg/srv',
  fstype  => 'ext4',
  options => ['noatime', 'nosuid'],
}
