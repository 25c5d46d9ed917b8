file { '/etc/motd': }
File['/etc/mtod'] {
  mode => '0644',
}
