kernel_parameter { 'transparent_hugepage:normal':
  ensure => present,
  value  => 'madvise',
}
