# The mail server Postfix.
#
# @param origin
#   The domain of local mail.
#
# @param relay
#   The host that takes all mail.
#
# @param relay_port
#   Where it listens.
#
# @param settings
#   Further settings for main.cf.
class postfix (
  String[1] $origin,
  Optional[String[1]] $relay = undef,
  Integer[1, 65535] $relay_port = 25,
  Hash[String[1], Scalar] $settings = {},
) {
  $target = $relay ? {
    undef   => '',
    default => postfix::destination($relay, $relay_port),
  }

  package { 'postfix':
    ensure => installed,
  }

  file { '/etc/postfix/main.cf':
    ensure  => file,
    mode    => '0644',
    content => epp('postfix/main.cf.epp', {
        'origin'   => $origin,
        'target'   => $target,
        'settings' => $settings,
    }),
    require => Package['postfix'],
    notify  => Service['postfix'],
  }

  service { 'postfix':
    ensure => running,
    enable => true,
  }
}
