package { 'nginx': require => Service['nginx'] }
file { '/etc/nginx.conf': require => Package['nginx'] }
service { 'nginx': subscribe => File['/etc/nginx.conf'] }
