define users::account($uid, $shell = '') {
  if $shell {
    $login = $shell
  } else {
    $login = '/bin/sh'
  }

  user { $name:
    uid   => $uid,
    shell => $login,
  }
}
