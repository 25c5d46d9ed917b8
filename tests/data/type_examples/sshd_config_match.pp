sshd_config_match { 'Address 192.0.2.0/24':
  ensure   => positioned,
  position => 'before first match',
}
