# Keep the clock right.
#
# @param servers
#   Servers to ask for the time.
#
# @param service
#   The name of the service.
#
# @param configuration
#   The file of the configuration.
class chrony (
  Array[String[1], 1] $servers,
  String[1] $service,
  Pattern[/\A\//] $configuration,
) {
  package { 'chrony':
    ensure => installed,
  }

  file { $configuration:
    ensure  => file,
    mode    => '0644',
    content => epp('chrony/chrony.conf.epp', { 'servers' => $servers }),
    require => Package['chrony'],
  }

  service { $service:
    ensure    => running,
    enable    => true,
    subscribe => File[$configuration],
  }
}
