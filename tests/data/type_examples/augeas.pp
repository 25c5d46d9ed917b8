augeas { 'sshd':
  context => '/files/etc/ssh/sshd_config',
  changes => [
    'set PermitRootLogin no',
    'rm X11Forwarding',
  ],
}

augeas { 'a new host':
  lens    => 'Hosts.lns',
  incl    => '/etc/hosts',
  changes => [
    'set 01/ipaddr 192.0.2.50',
    'set 01/canonical fifty.example.test',
  ],
  onlyif  => "match *[ipaddr = '192.0.2.50'] size == 0",
}
