dhparam { '/etc/ssl/dhparam.pem':
  ensure => present,
  size   => 2048,
  mode   => '0644',
}
