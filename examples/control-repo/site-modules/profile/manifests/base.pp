# What every node has.
class profile::base {
  include motd
  include profile::ntp
}
