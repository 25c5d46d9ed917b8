file { '/etc/motd':
  ensure  => file,
  owner   => 'root',
  group   => 'root',
  mode    => '0644',
  content => "Managed host\n",
}

file { '/etc/localtime':
  ensure => link,
  target => '/usr/share/zoneinfo/Europe/Zurich',
}
