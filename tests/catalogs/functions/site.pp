function tree(Hash $h, String $prefix = '') >> Array[String] {
  $h.reduce([]) |$all, $pair| {
    [$key, $value] = $pair
    $path = "${prefix}/${key}"
    case $value {
      Hash: { $all + [$path] + tree($value, $path) }
      Array: { $all + $value.map |$v| { "${path}=${v}" } }
      undef: { $all }
      default: { $all << "${path}=${value}" }
    }
  }
}
function pick_first(*$values) { $values.filter |$v| { $v =~ NotUndef }[0] }
tree({ 'etc' => { 'a' => 1, 'b' => [2, 3], 'c' => undef }, 'var' => 'x' }).each |$n| { notify { $n: } }
notify { mymod::greet('you'): message => pick_first(undef, 'second', 'third') }
notify { 'sums': message => [1, 2, 3].map |$x| { mymod::sum(*[$x, $x]) } }
$result = [5, 3, 8].sort |$a, $b| { compare($b, $a) }
notify { "sorted ${result}": }
