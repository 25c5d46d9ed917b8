# The package of the cache.
class cache::install {
  package { $cache::package:
    ensure => installed,
  }
}
