class ssh {
  $service = $::osfamily ? {
    'Debian' => 'ssh',
    default  => 'sshd',
  }
  $port = '22'
  if $port > 1023 {
    fail('use a low port')
  }

  file { '/etc/ssh/sshd_config':
    mode    => 0644,
    content => template('ssh/sshd_config.erb'),
    notify  => Service[$service],
  }

  service { $service: ensure => running }
}
