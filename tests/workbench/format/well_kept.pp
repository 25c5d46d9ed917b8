# @summary A class with most forms of the language, in the layout that well-kept modules have.
#
# @param ensure
#   The state.
class ntp::server (
  Enum['present', 'absent']   $ensure           = 'present',
  Array[Stdlib::Host]         $servers          = ['a.example.org', 'b.example.org'],
  Optional[String[1]]         $package          = undef,
  Hash[String[1], Integer[0]] $limits           = {},
  Boolean                     $manage_service   = true, # for containers
  Stdlib::Absolutepath        $config_directory = '/etc/ntp',
) inherits ntp::params {
  # The name differs on old systems.
  $package_name = pick($package, $facts['os']['family'] ? {
    'Debian' => 'ntp',
    'RedHat' => 'ntpsec',
    default  => fail("unsupported: ${facts['os']['family']}"),
  })

  if $ensure == 'absent' and $manage_service
    or $servers.empty {
    warning('no servers')
  } elsif ! $manage_service {
    notice("The service ${package_name} is not managed: ${$servers.map |$server| { $server.upcase }}")
  } else {
    contain ntp::server::service
  }

  case $facts['kernel'] {
    'Linux': {
      $user  = 'ntp'
      $group = -1 + 2 * (3 - $limits['group'])
    }
    'FreeBSD', 'OpenBSD': { $user = '_ntp' }
    /(?i:sunos)  /:       { $user = 'root' }
    default: {
      fail('unsupported')
    }
  }

  file {
    default:
      ensure => $ensure,
      owner  => $user;
    "${config_directory}/ntp.conf":
      content => epp('ntp/ntp.conf.epp', {
        'servers' => $servers,
        'limits'  => $limits + {
          'default' => 1,
        },
      }),
      require => [
        Package['ntp'],
        # Created by the package.
        User[$user],
      ];
    "${config_directory}/keys":
      mode => '0600';
  }

  package { 'ntp':
    ensure => $ensure,
    name   => $package_name,
  }
  -> file { $config_directory:
    ensure                  => directory,
    mode                    => '0755',
    selinux_ignore_defaults => true,
  }
  ~> Service<| tag == 'ntp' |>

  file { '/etc/motd':
    content => @("TEXT"/L),
        This  server    has ${servers.length} \
      servers.
      | TEXT
    ensure  => file,
  }

  $servers.each |Integer $number, String $server| {
    ntp::peer { $server:
      number => $number,
      *      => $limits,
    }
  }

  $names = $servers
    .filter |$server| { $server =~ /^[a-m]/ }
    .map |$server| {
      $server.split('.')[0]
    }

  create_resources('ntp::key', lookup('ntp::keys', Hash, 'deep', {}), {
    ensure => present,
  })

  File["${config_directory}/ntp.conf"] {
    backup => false,
  }
  Exec {
    path => ['/usr/bin', '/bin'],
  }
}
