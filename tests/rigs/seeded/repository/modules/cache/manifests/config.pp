# The configuration of the cache.
class cache::config {
  file { '/etc/redis.conf':
    ensure  => file,
    owner   => 'redis',
    group   => 'redis',
    mode    => '0640',
    content => "maxmemory ${cache::memory}\n",
  }

  $cache::settings.each |$name, $value| {
    cache_setting { $name:
      ensure => present,
      value  => String($value),
      scope  => 'global',
    }
  }
}
