pam { 'limits of sshd':
  ensure  => present,
  service => 'sshd',
  type    => 'session',
  control => 'required',
  module  => 'pam_limits.so',
}
