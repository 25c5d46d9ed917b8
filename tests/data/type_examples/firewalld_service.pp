firewalld_service { 'ssh':
  zone => 'public',
}
