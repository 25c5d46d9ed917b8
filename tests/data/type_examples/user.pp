user { 'deploy':
  ensure     => present,
  uid        => 2001,
  groups     => ['adm'],
  home       => '/srv/deploy',
  managehome => true,
  shell      => '/bin/bash',
}
