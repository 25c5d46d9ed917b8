# A node with the job "vpn".
class role::vpn {
  include profile::base
  include profile::vpn
}
