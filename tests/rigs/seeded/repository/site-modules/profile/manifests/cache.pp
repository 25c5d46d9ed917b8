# A cache.
class profile::cache {
  include cache

  user { 'redis':
    ensure => present,
    system => true,
    before => Class['cache::config'],
  }
}
