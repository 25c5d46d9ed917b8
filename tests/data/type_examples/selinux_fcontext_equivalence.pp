selinux_fcontext_equivalence { '/srv/home':
  ensure => present,
  target => '/home',
}
