# The load balancer of a datacentre.
class role::loadbalancer {
  include profile::base
  include profile::loadbalancer
}
