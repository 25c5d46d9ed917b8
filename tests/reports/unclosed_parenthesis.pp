file { "/a":
  ensure => file,
  content => template("x",
}
