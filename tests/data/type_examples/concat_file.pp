concat_file { '/etc/motd':
  ensure => present,
  tag    => 'motd',
}
