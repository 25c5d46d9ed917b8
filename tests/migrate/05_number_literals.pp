# Number literals were text
# rules: number-literals at 6, number-literals at 9
file { '/etc/motd':
  ensure => file,
  owner  => 'root',
  mode   => 0644,   # not 420
  backup => 3,
}
$serial = 007
notify { "agent ${serial}": }
