selinux_fcontext { '/srv/www(/.*)?_a':
  ensure   => present,
  pathspec => '/srv/www(/.*)?',
  seltype  => 'httpd_sys_content_t',
}
