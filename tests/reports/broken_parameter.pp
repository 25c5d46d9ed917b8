class b (
  $x = ,
) {
  notice($y z)
  include
}
