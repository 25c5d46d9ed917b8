firewalld_rich_rule { 'ssh from one machine':
  zone    => 'public',
  source  => '192.168.1.2/32',
  service => 'ssh',
  action  => 'accept',
}
