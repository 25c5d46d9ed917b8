firewalld_direct_rule { 'ssh to others':
  table    => 'filter',
  chain    => 'OUTPUT',
  priority => 1,
  args     => '-p tcp --dport=22 -j ACCEPT',
}
