alternative_entry { '/opt/java/bin/java':
  ensure   => present,
  altlink  => '/usr/bin/java',
  altname  => 'java',
  priority => 100,
}
