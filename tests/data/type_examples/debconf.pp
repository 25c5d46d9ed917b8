debconf { 'tzdata/Areas':
  type  => 'select',
  value => 'Europe',
}
-> package { 'tzdata':
  ensure => installed,
}
