# A mail server.
#
# @param aliases
#   Who reads the mail of whom.
class profile::mail (
  Hash[String[1], String[1]] $aliases,
) {
  include postfix

  postfix::map { 'virtual':
    entries => $aliases,
  }

  $greeting = lookup('mail_greeting', String[1])
  file { '/etc/postfix/banner':
    ensure  => file,
    content => "${greeting}\n",
    require => Package['postfix'],
    notify  => Service['postfix'],
  }
}
