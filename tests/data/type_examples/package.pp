package { 'rsync':
  ensure => installed,
}
