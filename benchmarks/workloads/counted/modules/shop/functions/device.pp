# The device of a mount.
function shop::device(Hash $about) >> String {
  $about['device'] ? {
    undef   => 'none',
    default => $about['device'],
  }
}
