# A PostgreSQL server.
#
# @param token
#   The password of the application.
class profile::database (
  Sensitive[String[1]] $token,
) {
  include postgresql

  postgresql::role { 'application':
    password => $token,
  }

  @@monitoring::check { "${facts['networking']['hostname']} postgresql":
    datacentre => $facts['datacentre'],
    target     => "tcp://${facts['networking']['fqdn']}:5432",
  }
}
