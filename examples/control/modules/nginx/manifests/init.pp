# The web server nginx.
#
# @param user
#   The user that the workers run as.
#
# @param workers
#   The number of processes.
class nginx (
  String[1] $user,
  Integer[1] $workers = $facts['processors']['count'],
) {
  package { 'nginx':
    ensure => installed,
  }

  file { '/etc/nginx/nginx.conf':
    ensure  => file,
    mode    => '0644',
    content => epp('nginx/nginx.conf.epp', { 'user' => $user, 'workers' => $workers }),
    require => Package['nginx'],
  }

  service { 'nginx':
    ensure    => running,
    enable    => true,
    subscribe => File['/etc/nginx/nginx.conf'],
  }
}
