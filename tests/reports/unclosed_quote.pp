notify { 'a:
  message => 'b',
}
