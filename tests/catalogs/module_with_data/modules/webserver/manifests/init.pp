# A web server.
class webserver (
  String[1] $package,
  String $workers = '1',
  Array[String[1]] $modules = [],
  Hash[String, Integer] $limits = {},
  Boolean $manage_service = true,
) {
  contain webserver::install
  contain webserver::config
  contain webserver::service

  Class['webserver::install']
  -> Class['webserver::config']
  ~> Class['webserver::service']
}
