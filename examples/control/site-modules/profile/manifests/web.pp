# A web server. It exports its backend for the load balancer, and a check for monitoring.
#
# @param port
#   Where the server listens.
#
# @param root
#   The directory with the files of the site.
class profile::web (
  Profile::Port $port,
  Pattern[/\A\//] $root,
) {
  include nginx

  nginx::site { 'www':
    port => $port,
    root => $root,
  }

  @@haproxy::backend { $facts['networking']['hostname']:
    datacentre => $facts['datacentre'],
    address    => $facts['networking']['ip'],
    port       => $port,
  }

  @@monitoring::check { "${facts['networking']['hostname']} http":
    datacentre => $facts['datacentre'],
    target     => "http://${facts['networking']['fqdn']}:${port}/",
  }
}
