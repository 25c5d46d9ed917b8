# The server that collects logs.
class profile::logs {
  include rsyslog::server

  @@monitoring::check { "${facts['networking']['hostname']} logs":
    datacentre => $facts['datacentre'],
    target     => "tcp://${facts['networking']['fqdn']}:514",
  }
}
