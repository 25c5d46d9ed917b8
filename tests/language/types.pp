# Types: B20, B21, B60 to B64, B102; and types of parameters.

## B60 aliases
type Port = Integer[1, 65535]
assert(80 =~ Port)
assert(0 !~ Port)

## B60 aliases of namespaces
type My::Names = Array[String[1]]
assert(['a'] =~ My::Names)
assert([''] !~ My::Names)

## B60 aliases that contain themselves
type Tree = Variant[Integer, Array[Tree]]
assert([1, [2, [3]]] =~ Tree)
assert([1, ['a']] !~ Tree)

## B60 aliases in modules are found by their names
#@ file mymod/types/port.pp | type Mymod::Port = Integer[1, 65535]
assert(80 =~ Mymod::Port)
assert('80' !~ Mymod::Port)

## B60 an alias of an unknown type
type Wrong = Nosuch[1]
assert(!(1 =~ Wrong))

## B60 an alias is no alias of itself
type Loop = Loop
notice(1 =~ Loop) #! RUNTIME_ERROR

## B60 aliases stand at the top
class k { type Inner = Integer } #! NOT_ABSOLUTE_TOP_LEVEL

## B60 conversions through aliases
type Port = Integer[1, 65535]
assert(Port('80') == 80)

## B61 objects
type Point = Object[{
  attributes => {
    x => Integer,
    y => { type => Integer, value => 0 },
  }
}]
$p = Point(3)
assert($p.x == 3)
assert($p.y == 0)
assert($p =~ Point)
assert(Point(1, 2) == Point(1, 2))
assert(Point(1, 2) != Point(1, 3))
assert(Point({ x => 5 }).x == 5)

## B61 a hash is an object type
type Named = { attributes => { name => String } }
assert(Named('a').name == 'a')

## B61 objects that inherit
type Base = Object[{ attributes => { a => Integer } }]
type Derived = Object[{ parent => Base, attributes => { b => Integer } }]
$d = Derived(1, 2)
assert($d.a == 1)
assert($d.b == 2)
assert($d =~ Base)
assert(Base(1) !~ Derived)

## B61 objects with constants
type Limits = Object[{ constants => { top => 9 }, attributes => { a => Integer } }]
assert(Limits(1).top == 9)

## B61 an attribute of the wrong type
type Point = Object[{ attributes => { x => Integer } }]
$p = Point('a') #! RUNTIME_ERROR

## B61 an attribute that is not there
type Point = Object[{ attributes => { x => Integer } }]
$z = Point(1).z #! UNKNOWN_FUNCTION

## B62 sets of types
#@ file car/types/init_typeset.pp | type Car = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { Wheel => Integer } }]
assert(1 =~ Car::Wheel)

## B63 mappings to the runtime
type Runtime[ruby, 'X'] = Integer
notice('done')
#> done

## B64 definitions of types are reserved
type Foo { } #! UNSUPPORTED_EXPRESSION

## B64 definitions of types with a parent are reserved
type Foo inherits Bar { } #! UNSUPPORTED_EXPRESSION

## B102 reserved names of types
type Integer = String #! RESERVED_TYPE_NAME

## B102 no class has the name of a type
class string { } #! RESERVED_TYPE_NAME

## B102 no defined type has the name of a type
define array() { } #! RESERVED_TYPE_NAME

## B103 reserved parameters
class k($title) { } #! RESERVED_PARAMETER

## B103 name is reserved in defined types
define d($name) { } #! RESERVED_PARAMETER

## B21 types of numbers
assert(3 =~ Integer[default, 3])
assert(3 =~ Integer[3])
assert(2.5 =~ Float[2.0, 3.0])
assert(3 =~ Numeric)
assert(3 !~ Float)
assert(3 =~ ScalarData)

## B21 types of collections
assert([1, 2] =~ Array[Integer, 2])
assert([1, 2] !~ Array[Integer, 3])
assert([1, a] =~ Tuple[Integer, String])
assert([1, a, b] =~ Tuple[Integer, String, 1, 3])
assert({ a => 1 } =~ Hash[String, Integer])
assert({ a => 1 } !~ Hash[String, Integer, 2])
assert({ a => 1 } =~ Struct[{ a => Integer, Optional[b] => String }])
assert({ a => 1, c => 2 } !~ Struct[{ a => Integer, Optional[b] => String }])
assert([] =~ Collection)
assert([1] =~ Iterable)

## B21 types of choices
assert('a' =~ Enum['a', 'b'])
assert('c' !~ Enum['a', 'b'])
assert('A' =~ Enum['a', true])
assert('ab' =~ Pattern[/^a/, /z$/])
assert(undef =~ Optional[Integer])
assert(1 =~ Variant[String, Integer])
assert(1 =~ NotUndef)
assert(undef !~ NotUndef)
assert(true =~ Boolean[true])

## B21 types of types
assert(Integer =~ Type)
assert(Integer =~ Type[Numeric])
assert(!(String =~ Type[Numeric]))
assert(File['/a'] =~ Type[CatalogEntry])


## B21 types of other values
assert(/a/ =~ Regexp)
assert(/a/ =~ Regexp['a'])
assert(default =~ Default)
assert(Sensitive('x') =~ Sensitive)
assert(Sensitive('x') =~ Sensitive[String])
assert(SemVer('1.2.3') =~ SemVer['>=1.0.0'])
assert(Timespan(1) =~ Timespan)
assert(Binary('YQ==') =~ Binary)
assert(URI('http://a.b/') =~ URI['http://a.b/'])

## B21 data and rich data
assert([1, { a => undef }] =~ Data)
assert(Sensitive('x') !~ Data)
assert(Sensitive('x') =~ RichData)

## B21 wrong parameters of types
$x = Integer['a'] #! BAD_INTEGER_SLICE_TYPE

## B21 too many parameters of types
$x = Integer[1, 2, 3] #! BAD_INTEGER_SLICE_ARITY

## B21 a range upside down
$x = Integer[3, 1] #! RUNTIME_ERROR

## B53 conversions
assert(String(1) == '1')
assert(Integer('0x1F', 16) == 31)
assert(Float('1.5') == 1.5)
assert(Boolean('yes') == true)
assert(Array({ a => 1 }) == [['a', 1]])
assert(Array(1, true) == [1])
assert(Hash([['a', 1]]) == { a => 1 })
assert(Numeric('0b11') == 3)
assert(String(255, '%#x') == '0xff')
assert(String([1, 2], '%(a') =~ String)
assert(Timespan('1:00', '%H:%M') == Timespan({ hours => 1 }))
assert("${SemVer('1.2.3')}" == '1.2.3')

## B65 types of parameters of classes
class k(Integer[1] $n, Optional[String] $s = undef, Enum['a', 'b'] $e = 'a') { notify { "${n}${s}${e}": } }
class { 'k': n => 5, e => 'b' }
#= Notify[5b] {}

## B65 a value of the wrong type for a class
class k(Integer $n) { }
class { 'k': n => 'x' } #! RUNTIME_ERROR "parameter 'n' expects an Integer value, got String"

## B67 a value of the wrong type for a defined type
define d(Integer $n) { }
d { 'x': n => 'y' } #! RUNTIME_ERROR "expects an Integer value, got String"

## B53 a default of the wrong type
function f(Integer $x = 'a') { $x }
$y = f() #! RUNTIME_ERROR
