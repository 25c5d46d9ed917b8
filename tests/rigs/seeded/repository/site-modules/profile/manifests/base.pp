# What every node has: the time, and a message for those who log in.
#
# @param owner
#   Who answers for the node.
class profile::base (
  String[1] $owner,
) {
  include chrony
  include profile::backup
  include rsyslog

  file { '/etc/motd':
    ensure  => file,
    mode    => '0644',
    content => epp('profile/motd.epp', { 'owner' => $owner }),
  }
}
