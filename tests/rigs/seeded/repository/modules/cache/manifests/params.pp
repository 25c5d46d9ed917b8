# What differs between operating systems.
class cache::params {
  case $facts['os']['family'] {
    'RedHat': {
      $package = 'redis'
      $service = 'redis'
    }
    default: {
      $package = 'redis-server'
      $service = 'redis-server'
    }
  }
}
