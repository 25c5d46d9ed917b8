$top = 1                                       #= ran
node 'web1' {                                  #= ran
  class { 'shop': names => ['aa', 'bbbb'], port => 1 }  #= ran
}
node /^web/ {                                  #= ran
  class { 'shop': mode => 'other', port => 2 } #= ran
}
node default { }                               #= missed
