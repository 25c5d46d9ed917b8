# There were no Unicode escapes
# rules: escapes-double-quotes at 4
notify { 'pattern':
  message => "\u0041 is not A",
}
