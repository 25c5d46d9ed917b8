define app::site($port) { }
pakage { 'nginx': ensure => installed }
