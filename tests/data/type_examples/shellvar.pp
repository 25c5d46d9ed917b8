shellvar { 'ENABLED in /etc/default/application':
  ensure  => present,
  value   => 'yes',
  comment => 'start at boot',
}
