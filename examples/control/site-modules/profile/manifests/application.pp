# A server of the application.
#
# @param port
#   Where the application listens.
#
# @param workers
#   The number of processes.
#
# @param database
#   The name of the database server.
#
# @param token
#   The password for the database.
class profile::application (
  Profile::Port $port,
  Integer[1] $workers,
  String[1] $database,
  Sensitive[String[1]] $token,
) {
  class { 'application':
    port     => $port,
    workers  => $workers,
    database => $database,
    token    => $token,
  }

  @@monitoring::check { "${facts['networking']['hostname']} application":
    datacentre => $facts['datacentre'],
    target     => "http://${facts['networking']['fqdn']}:${port}/health",
  }
}
