selinux_port { 'tcp_8080-8089':
  ensure    => present,
  low_port  => 8080,
  high_port => 8089,
  protocol  => tcp,
  seltype   => 'http_port_t',
}
