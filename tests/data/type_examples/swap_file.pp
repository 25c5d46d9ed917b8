swap_file { '/var/swap':
  ensure => present,
}
