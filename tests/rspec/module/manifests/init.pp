# All kinds of values, relationships and sources of data.
class things (
  String $owner,
  String $package = 'things',
  Optional[String] $group = undef,
  Sensitive[String] $password = Sensitive('none'),
  Variant[Type[CatalogEntry], Undef] $before_all = undef,
  Hash $options = {},
  Things::Port $port = 80,
) {
  contain things::install
  contain things::service
  Class['things::install'] ~> Class['things::service']

  file { '/etc/things':
    ensure => directory,
    owner  => $owner,
    group  => $group,
    before => $before_all,
  }

  file { '/etc/things/password':
    content => $password,
    mode    => '0600',
    require => File['/etc/things'],
  }

  things::entry { 'all':
    port    => $port,
    options => $options,
    upper   => Deferred('upcase', ['later']),
  }

  notify { "${facts['os']['family']} ${trusted['certname']} ${trusted['extensions']['pp_role']} ${environment}": }
}
