# A table of Postfix.
#
# @param entries
#   What is in the table.
#
# @param kind
#   How the table is stored.
define postfix::map (
  Hash[String[1], String[1]] $entries,
  Enum['hash', 'lmdb', 'texthash'] $kind = 'hash',
) {
  $lines = $entries.map |$key, $value| { "${key} ${postfix::address($value)}\n" }

  file { "/etc/postfix/${title}":
    ensure  => file,
    owner   => 'root',
    mode    => '0644',
    content => join($lines),
    require => Package['postfix'],
  }

  exec { "postmap ${title}":
    command     => "postmap ${kind}:/etc/postfix/${title}",
    path        => ['/usr/sbin', '/usr/bin'],
    refreshonly => true,
    subscribe   => File["/etc/postfix/${title}"],
  }
}
