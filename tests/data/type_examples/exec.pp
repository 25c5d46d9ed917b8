exec { 'update the font cache':
  command     => '/usr/bin/fc-cache --force',
  refreshonly => true,
  subscribe   => File['/usr/share/fonts/local'],
}

file { '/usr/share/fonts/local':
  ensure => directory,
}
