# The message of the day.
class motd (
  String[1] $owner,
) {
  file { '/etc/motd':
    ensure  => file,
    content => epp('motd/motd.epp', { 'owner' => $owner }),
  }
}
