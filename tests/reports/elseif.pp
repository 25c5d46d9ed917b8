if $a {
  notice(2)
} elseif $b == 2 {
  file { '/x': }
} else {
  notice(2)
}
