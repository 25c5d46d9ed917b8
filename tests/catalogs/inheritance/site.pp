class base {
  $port = 80
  file { '/etc/app': ensure => directory, mode => '0755', tag => ['app'] }
  file { '/etc/app/conf': content => "port ${port}\n", require => File['/etc/app'] }
  service { 'app': ensure => running, subscribe => File['/etc/app/conf'] }
}
class base::secure inherits base {
  $port_tls = 443
  File['/etc/app/conf'] { content => "port ${base::port}\nport ${port_tls}\n", mode => '0600' }
  File['/etc/app'] { mode => '0700' }
  Service['app'] { subscribe +> File['/etc/app'] }
  file { '/etc/app/key': content => "key\n" }
}
class base::secure::strict inherits base::secure {
  File['/etc/app/key'] { mode => '0400' }
  Service['app'] { ensure => undef }
}
include base::secure::strict
