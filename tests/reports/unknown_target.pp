package { 'nginx': }
service { 'nginx':
  ensure  => running,
  require => Package['ngnix'],
}
