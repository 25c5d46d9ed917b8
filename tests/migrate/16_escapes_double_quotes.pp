# There were no characters by number.
# rules: escapes-double-quotes at 4
notify { 'pattern':
  message => "\u0041 is not A",
}
