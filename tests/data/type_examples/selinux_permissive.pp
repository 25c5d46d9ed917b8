selinux_permissive { 'myapp_t':
  ensure => present,
}
