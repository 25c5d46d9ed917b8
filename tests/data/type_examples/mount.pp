mount { '/srv/data':
  ensure  => mounted,
  device  => '/dev/disk/by-label/data',
  fstype  => 'ext4',
  options => 'noatime',
}
