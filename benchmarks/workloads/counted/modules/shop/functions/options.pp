# Mount options as fstab has them.
function shop::options(Optional[Array[String]] $options = undef) >> String {
  if $options =~ Undef or $options.empty {
    'defaults'
  } else {
    unique($options).sort.join(',')
  }
}
