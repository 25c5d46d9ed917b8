selinux_login { 'anna':
  ensure             => present,
  selinux_login_name => 'anna',
  selinux_user       => 'staff_u',
}
