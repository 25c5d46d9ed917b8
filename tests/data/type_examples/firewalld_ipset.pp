firewalld_ipset { 'offices':
  type    => 'hash:net',
  entries => ['192.0.2.0/24', '198.51.100.7'],
}
resources { 'firewalld_ipset': purge => true }
