function shop::size(String $of, Integer $scale = 2) >> Integer {  #= ran
  $long = $of.length > 3                       #= ran
  if $long { return($scale * 2) }              #= ran
  $scale                                       #= ran
}
