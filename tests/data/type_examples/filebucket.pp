filebucket { 'kept':
  path => '/var/lib/kept',
}

file { '/etc/hosts.allow':
  ensure  => file,
  content => "ALL: localhost\n",
  backup  => 'kept',
}
