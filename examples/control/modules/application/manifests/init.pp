# The application of the demo.
#
# @param port
#   Where the application listens.
#
# @param workers
#   The number of processes.
#
# @param database
#   The name of the database server.
#
# @param token
#   The password for the database.
class application (
  Integer[1, 65535] $port,
  Integer[1] $workers,
  String[1] $database,
  Sensitive[String[1]] $token,
) {
  $parameters = {
    'port'     => $port,
    'workers'  => $workers,
    'database' => $database,
    'token'    => $token,
  }

  user { 'application':
    ensure => present,
    system => true,
  }

  package { 'application':
    ensure => installed,
  }

  file { '/etc/application.conf':
    ensure    => file,
    group     => 'application',
    mode      => '0640',
    content   => epp('application/application.conf.epp', $parameters),
    show_diff => false,
    require   => [Package['application'], User['application']],
  }

  service { 'application':
    ensure    => running,
    enable    => true,
    subscribe => File['/etc/application.conf'],
  }
}
