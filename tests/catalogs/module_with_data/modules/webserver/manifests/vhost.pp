define webserver::vhost (
  Webserver::Port $port = 80,
  Optional[String[1]] $docroot = undef,
) {
  $root = $docroot ? { undef => "/var/www/${name}", default => $docroot }
  file { "/etc/webserver/sites/${name}.conf":
    content => @("CONF"),
      Listen ${port}
      Root ${root}
      | CONF
    notify  => Class['webserver::service'],
  }
}
