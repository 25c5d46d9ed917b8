class a(Integer $x Integer $y) {
  notify { 'x' message => 'y' }
  if $x = 1 {
    notice('a' 'b')
  }
  file { '/x':
    ensure => file
    mode = '0644',
  }
}
