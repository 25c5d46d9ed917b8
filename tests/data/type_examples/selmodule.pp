selmodule { 'myapp':
  ensure        => present,
  selmodulepath => '/etc/selinux/myapp.pp',
}
