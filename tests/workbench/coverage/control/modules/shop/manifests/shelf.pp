define shop::shelf (                           #= ran
  $size = shop::size($title),                  #= ran
) {
  notice($size)                                #= ran
}
