class webserver::service {
  if $webserver::manage_service {
    service { 'webserver': ensure => running, enable => true }
  }
}
