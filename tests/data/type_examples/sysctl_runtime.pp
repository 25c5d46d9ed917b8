sysctl_runtime { 'net.ipv4.ip_forward':
  val => '1',
}
