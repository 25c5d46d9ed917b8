# A role of the database with a password.
#
# @param password
#   The password.
define postgresql::role (
  Sensitive[String[1]] $password,
) {
  $statement = "ALTER ROLE ${title} PASSWORD '${password.unwrap}';\n"

  file { "/var/lib/postgresql/${title}.sql":
    ensure  => file,
    owner   => 'postgres',
    group   => 'postgres',
    mode    => '0600',
    content => Sensitive($statement),
    require => Class['postgresql'],
    notify  => Exec["postgresql::role ${title}"],
  }

  exec { "postgresql::role ${title}":
    command     => "psql --file=/var/lib/postgresql/${title}.sql",
    path        => '/usr/bin:/bin',
    user        => 'postgres',
    refreshonly => true,
  }
}
