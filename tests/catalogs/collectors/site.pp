class accounts {
  @user { 'alice': uid => '1001', groups => ['admins', 'web'], tag => ['people'] }
  @user { 'bob': uid => '1002', groups => ['web'], tag => ['people', 'guest'] }
  @user { 'carol': uid => '1003', groups => ['db'] }
  @group { ['admins', 'web', 'db']: ensure => present }
}
define home ($mode = '0700') {
  @file { "/home/${name}": ensure => directory, mode => $mode, owner => $name, tag => 'home' }
}
include accounts
home { 'alice': }
home { 'bob': mode => '0755' }
User <| groups == 'web' and tag != 'guest' |>
User <| title == 'carol' |> { shell => '/bin/zsh' }
Group <| title == 'web' or title == 'admins' |> -> User <| |>
File <| tag == 'home' |> { group => 'users' }
realize User['bob']
