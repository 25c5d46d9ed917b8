filesystem { '/dev/data/www':
  ensure  => present,
  fs_type => 'ext4',
}
