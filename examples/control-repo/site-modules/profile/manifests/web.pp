# Serve static pages with nginx.
class profile::web (
  Profile::Port $port,
  Pattern[/\A\//] $root,
) {
  package { 'nginx':
    ensure => installed,
  }

  file { $root:
    ensure => directory,
  }

  file { '/etc/nginx/conf.d/site.conf':
    ensure  => file,
    content => "server { listen ${port}; root ${root}; }\n",
    require => Package['nginx'],
    notify  => Service['nginx'],
  }

  service { 'nginx':
    ensure => running,
    enable => true,
  }
}
