file_line { 'allow the application to read its port':
  path  => '/etc/application.conf',
  line  => 'port = 8080',
  match => '^port\s*=',
}
