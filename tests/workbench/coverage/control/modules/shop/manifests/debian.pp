class shop::debian {                           #= ran
  notice('debian')                             #= ran
}
