# Resource defaults applied to resources above them
# rules: late-defaults at 7
class motd {
  file { '/etc/motd':
    ensure => file,
  }
  File { owner => 'root' }
  file { '/etc/issue': ensure => file }
}
include motd
