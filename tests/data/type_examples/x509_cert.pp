x509_cert { '/etc/ssl/certs/www.crt':
  ensure      => present,
  private_key => '/etc/ssl/private/www.key',
  template    => '/etc/ssl/www.cnf',
  days        => 365,
}
