# Findings of Puppet 8 about definitions.

## the type of a class parameter is literal
class t(
  Integer[2-1] $a, #% warning "'$a' is not literal"
  Optional[[String]] $b, #% warning "'$b' is not literal"
  Enum["a${1}"] $c, #% warning "'$c' is not literal"
  Struct[{ k => Array[String, (1)] }] $d, #% warning "'$d' is not literal"
  Tuple[*[Integer, String]] $e, #% warning "'$e' is not literal"
  Integer[-1, default] $f,
  Variant[Integer, Enum['a', "b"], Pattern[/a/], Struct[{ k => Optional[Integer] }], Boolean[true]] $g,
  Callable[[String], Integer] $h = undef,
) { }
notice(1)
#> 1

## types of other parameters need not be literal
define t(Integer[2-1] $a) { }
function f(Integer[2-1] $a) { $a }
type Aliased = Integer[2-1]
assert(f(1) == 1 and with(1) |Integer[2-1] $a| { $a } == 1)

## a type alias is not global
type ::Aaa = Any #! ILLEGAL_DEFINITION_NAME

## a type alias of a namespace is not global
type ::A::B = Any #! ILLEGAL_DEFINITION_NAME

## a function in a file with capitals is never found
#@ file m/functions/bbB/ccc.pp | function m::bbB::ccc() { 1 }
m::bbB::ccc() #! UNKNOWN_FUNCTION

## a class in a file of its module may have capitals
#@ file m/manifests/aa.pp | class m::aA { notice('found') }
include m::aa
#> found
