class shop::never ($value = 1) {               #= missed
  notice($value)                               #= missed
}
