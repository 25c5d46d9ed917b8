# A person with an account.
#
# @param groups
#   The groups of the account.
#
# @param shell
#   The program that starts at login.
define profile::account (
  Array[String[1]] $groups,
  Pattern[/\A\//] $shell = '/bin/bash',
) {
  user { $title:
    ensure     => present,
    groups     => $groups,
    shell      => $shell,
    managehome => true,
  }

  file { "/home/${title}/.profile":
    ensure  => file,
    owner   => $title,
    mode    => '0644',
    source  => 'puppet:///modules/profile/profile.sh',
    require => User[$title],
  }
}
