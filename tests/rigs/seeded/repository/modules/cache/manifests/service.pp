# The service of the cache.
class cache::service {
  service { $cache::service:
    ensure => running,
    enable => true,
  }
}
