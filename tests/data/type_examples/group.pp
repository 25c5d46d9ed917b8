group { 'deploy':
  ensure => present,
  gid    => 2001,
}
