ssl_pkey { '/etc/ssl/private/www.key':
  ensure => present,
  size   => 4096,
  mode   => '0600',
}
