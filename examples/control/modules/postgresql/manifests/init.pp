# The database PostgreSQL.
#
# @param version
#   The major version.
#
# @param package
#   The name of the package.
#
# @param directory
#   The directory of the configuration.
#
# @param service
#   The name of the service.
#
# @param settings
#   Settings for postgresql.conf.
class postgresql (
  Variant[Integer, String[1]] $version,
  String[1] $package,
  Pattern[/\A\//] $directory,
  String[1] $service = 'postgresql',
  Hash[String[1], Scalar] $settings = {},
) {
  package { $package:
    ensure => installed,
  }

  file { "${directory}/postgresql.conf":
    ensure  => file,
    owner   => 'postgres',
    group   => 'postgres',
    mode    => '0640',
    content => epp('postgresql/postgresql.conf.epp', {
        'version'  => $version,
        'settings' => $settings,
    }),
    require => Package[$package],
  }

  service { $service:
    ensure    => running,
    enable    => true,
    subscribe => File["${directory}/postgresql.conf"],
  }
}
