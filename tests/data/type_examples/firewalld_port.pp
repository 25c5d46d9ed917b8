firewalld_port { 'web servers':
  zone     => 'public',
  port     => 8080,
  protocol => 'tcp',
}
