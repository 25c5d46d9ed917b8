# A web server and where its pages lie.
class website (
  Website::Port        $port    = 8000,
  Pattern[/\A\//]      $root    = '/srv/www',
  Optional[Integer[1]] $workers = undef,
) {
  $server = $facts['os']['family'] ? {
    'Debian' => 'nginx',
    'RedHat' => 'nginx-core',
    default  => fail("no web server is known for ${facts['os']['family']}"),
  }

  $processes = [$workers, $facts['processors']['count'], 1].filter |$count| { $count =~ Integer }[0]

  package { $server:
    ensure => installed,
  }

  -> file { '/etc/nginx/conf.d/website.conf':
    ensure  => file,
    content => epp('website/website.conf.epp', {
      'port'      => $port,
      'root'      => $root,
      'processes' => $processes,
    }),
  }

  ~> service { 'nginx':
    ensure => running,
    enable => true,
  }

  file { $root:
    ensure => directory,
  }
}
