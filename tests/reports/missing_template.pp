file { '/etc/motd': content => epp('profile/mtod.epp') }
