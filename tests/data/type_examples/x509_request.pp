x509_request { '/etc/ssl/www.csr':
  ensure      => present,
  private_key => '/etc/ssl/private/www.key',
  template    => '/etc/ssl/www.cnf',
}
