concat_fragment { 'welcome':
  target  => '/etc/motd',
  content => "Welcome\n",
  tag     => 'motd',
}
