firewall { '100 web servers':
  proto => tcp,
  dport => [80, 443],
  jump  => accept,
}

firewall { '999 drop the rest':
  proto => all,
  jump  => drop,
}
