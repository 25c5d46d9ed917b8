java_ks { 'www:/etc/tomcat/keystore.ks':
  ensure      => latest,
  certificate => '/etc/ssl/certs/www.crt',
  private_key => '/etc/ssl/private/www.key',
  chain       => '/etc/ssl/certs/intermediate.crt',
  password    => Sensitive('change-this-password'),
}
