class ntp (
  Array[String[1]] $servers,
  Boolean          $enable = true,
) { }

class { 'ntp':
  servers => '0.pool.ntp.org',
  enable  => 'yes',
}
