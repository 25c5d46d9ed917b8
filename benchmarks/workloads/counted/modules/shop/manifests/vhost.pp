# A web site.
define shop::vhost (
  Shop::Port              $port,
  Enum['http', 'https']   $protocol = 'http',
  Array[String]           $tags     = [],
  Optional[String]        $docroot  = undef,
) {
  $root = $docroot ? { undef => "/srv/shop/${title}", default => $docroot }
  $number = $title ? {
    /\Asite(\d+)\./ => Integer($1),
    default          => fail("no number in ${title}"),
  }
  file { $root:
    ensure => directory,
    tag    => $tags,
  }
  -> file { "/etc/shop.d/${title}.conf":
    ensure  => file,
    content => @("CONF"),
      server {
        listen ${port};
        url ${protocol}://${title}:${port}/;
        weight ${$number * 3 % 7};
      }
      | CONF
    tag     => $tags,
    notify  => Service['shop'],
  }
  @notify { "vhost ${title}": message => "serving ${title}" }
}
