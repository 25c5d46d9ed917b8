# Keep the clock right.
class profile::ntp (
  Array[String[1], 1] $servers,
  String[1] $service,
) {
  package { 'chrony':
    ensure => installed,
  }

  file { '/etc/chrony.conf':
    ensure  => file,
    mode    => '0644',
    content => epp('profile/chrony.conf.epp', { 'servers' => $servers }),
    require => Package['chrony'],
  }

  service { $service:
    ensure    => running,
    enable    => true,
    subscribe => File['/etc/chrony.conf'],
  }
}
