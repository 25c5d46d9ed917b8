# A server that runs the checks of its datacentre.
class profile::monitoring {
  include monitoring

  Monitoring::Check <<| datacentre == $facts['datacentre'] |>>
}
