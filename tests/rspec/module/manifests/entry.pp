# An entry with values of uncommon types.
define things::entry (
  Things::Port $port = 80,
  Hash $options = {},
  Any $upper = undef,
) {
  file { "/etc/things/${title}":
    content => epp('things/entry.epp', { 'port' => $port, 'options' => $options }),
  }
  things_setting { $title: value => things::double($port) }
  exec { "check ${title}":
    command     => "/bin/true ${things::joined(['a', 'b'])}",
    refreshonly => true,
    subscribe   => File["/etc/things/${title}"],
  }
}
