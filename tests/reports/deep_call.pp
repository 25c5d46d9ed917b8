function share(Integer $total, Integer $parts) {
  $total / $parts
}
function plan_for(Array[Integer] $sizes) {
  $sizes.map |$size| { share(100, $size) }
}
$plan = plan_for([4, 0, 2])
