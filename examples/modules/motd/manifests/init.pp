# Greets whoever logs in.
class motd (
  String $greeting = "Welcome to ${facts['networking']['fqdn']}",
) {
  file { '/etc/motd':
    ensure  => file,
    mode    => '0644',
    content => epp('motd/motd.epp', { 'greeting' => $greeting }),
  }
}
