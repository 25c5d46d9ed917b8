# A cache in memory.
#
# @param memory
#   The memory that the cache uses.
#
# @param settings
#   The settings of the cache.
class cache (
  Pattern[/\A\d+[kmg]b\z/] $memory,
  Hash[String[1], Scalar] $settings = {},
) inherits cache::params {
  contain cache::install
  contain cache::config
  contain cache::service

  Class['cache::install'] -> Class['cache::config'] ~> Class['cache::service']
}
