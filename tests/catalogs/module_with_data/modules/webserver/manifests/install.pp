class webserver::install {
  package { $webserver::package:
    ensure => installed,
    alias  => 'webserver',
  }
}
