sshd_config { 'root only with keys from the office':
  ensure    => present,
  key       => 'PermitRootLogin',
  condition => 'Address 192.0.2.0/24',
  value     => 'prohibit-password',
}
