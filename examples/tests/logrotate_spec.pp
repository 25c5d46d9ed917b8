# Tests in Puppet code: the lambda is compiled, and its catalog is asked.
test('rotates a log of an application', { facts => 'debian-11' }) || {
  logrotate::rule { 'app':
    path   => '/var/log/app.log',
    rotate => '5',
  }
  contains(File['/etc/logrotate.d/app'], { ensure => 'present', content => /^\s+rotate 5$/ })
}

test('refuses another interval', { facts => 'debian-11', raises => "invalid rotate_every value" }) || {
  logrotate::rule { 'app':
    path         => '/var/log/app.log',
    rotate_every => 'century',
  }
}
