sshd_config_subsystem { 'sftp':
  ensure  => present,
  command => 'internal-sftp',
}
