# Doubles a number.
function things::double(Integer $number) >> Integer {
  $number * 2
}
