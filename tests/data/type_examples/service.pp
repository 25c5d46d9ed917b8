service { 'ssh':
  ensure => running,
  enable => true,
}
