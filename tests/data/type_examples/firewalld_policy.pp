firewalld_policy { 'nat':
  ingress_zones => ['internal'],
  egress_zones  => ['external'],
  target        => 'ACCEPT',
}
