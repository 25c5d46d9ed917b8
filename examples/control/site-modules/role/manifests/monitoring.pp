# The monitoring server of a datacentre.
class role::monitoring {
  include profile::base
  include profile::monitoring
}
