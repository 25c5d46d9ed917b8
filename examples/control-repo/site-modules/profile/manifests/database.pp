# A PostgreSQL server.
class profile::database (
  String[1] $version = '15',
) {
  package { "postgresql-${version}":
    ensure => installed,
  }

  service { 'postgresql':
    ensure  => running,
    enable  => true,
    require => Package["postgresql-${version}"],
  }
}
