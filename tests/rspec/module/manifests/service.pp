# Starts the service.
class things::service {
  service { 'things':
    ensure    => running,
    enable    => true,
    subscribe => Package[$things::package],
  }
}
