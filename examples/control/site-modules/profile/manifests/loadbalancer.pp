# A load balancer for the web servers of its datacentre.
class profile::loadbalancer {
  include haproxy

  Haproxy::Backend <<| datacentre == $facts['datacentre'] |>>

  @@monitoring::check { "${facts['networking']['hostname']} haproxy":
    datacentre => $facts['datacentre'],
    target     => "http://${facts['networking']['fqdn']}/",
  }
}
