# A site of static files.
#
# @param port
#   Where the server listens.
#
# @param root
#   The directory with the files.
define nginx::site (
  Integer[1, 65535] $port,
  String[1] $root,
) {
  file { $root:
    ensure => directory,
  }

  file { "/etc/nginx/conf.d/${title}.conf":
    ensure  => file,
    mode    => '0644',
    content => epp('nginx/site.conf.epp', { 'port' => $port, 'root' => $root }),
    require => Package['nginx'],
    notify  => Service['nginx'],
  }
}
