# The class that all vhosts need.
class shop (
  String[1]                  $domain,
  Array[Shop::Port, 1]       $ports,
  Hash[String[1], Hash]      $mounts,
  Integer[1, 64]             $workers  = 4,
  String                     $greeting = 'hello',
  Enum['present', 'absent']  $ensure   = 'present',
) {
  $listening = $ports.filter |$port| { $port < 1024 or $port in [8080, 8443] }
  $known = $mounts.reduce({}) |$memo, $entry| {
    $memo + { $entry[0] => shop::options($entry[1]['options']) }
  }
  file {
    default:
      ensure => file,
      owner  => 'root',
      group  => 'root',
      mode   => '0644',
    ;
    '/etc/shop.conf':
      content => epp('shop/shop.conf.epp', { 'ports' => $listening, 'known' => $known }),
      notify  => Service['shop'],
    ;
    ['/etc/shop.d', '/srv/shop']:
      ensure => directory,
      mode   => '0755',
  }
  $mounts.each |String $name, Hash $about| {
    mount { "/${name}":
      device  => shop::device($about),
      fstype  => 'ext4',
      options => shop::options($about['options']),
      require => File['/srv/shop'],
    }
  }
  service { 'shop': ensure => running, enable => true }
  File['/etc/shop.d'] -> Mount <| |> -> Service['shop']
  case $facts['os']['name'] {
    /^(Debian|Ubuntu)$/: { package { ['nginx', 'curl', 'jq']: ensure => installed } }
    'RedHat', 'Rocky':   { package { ['nginx', 'curl']: ensure => latest } }
    default:             { fail("unsupported: ${facts['os']['name']}") }
  }
}

