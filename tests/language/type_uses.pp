# Types at work: objects, aliases that contain themselves, iteration, types as keys, titles and text,
# what type() gives, and arithmetic of the value types.

## attributes have defaults, constants are read, objects compare by value
type C = Object[{attributes => {
  a => Integer, b => { type => String, value => 'x' }, k => { type => Integer, kind => constant, value => 3 },
}}]
$c = C(1)
assert([$c.a, $c.b, $c.k] == [1, 'x', 3])
assert("${c}" == "C({'a' => 1})")
assert(C(1) == C(1) and C(1) != C(2))
assert({ C(1) => 2 }[C(1)] == 2)

## objects are made by position, by new, by a hash
type C = Object[{attributes => {a => Integer, b => {type => Integer, value => 0}}}]
assert([C(1, 2), C.new(1, 2), C({ a => 1, b => 2 })].unique == [C(1, 2)])

## an attribute that may be undef may be absent, one that is Optional stands last
type C = Object[{attributes => {x => Optional[Integer], y => Integer}}]
assert(C(1, 2).x == 2 and C(1).x == undef and C({ y => 1 }) == C(1))
assert("${C(1)}" == "C({'y' => 1})")
assert(1 =~ Init[C] and { y => 1 } =~ Init[C])
type D = Object[{attributes => {x => Any, y => { type => Any, value => 0 }}}]
assert("${D({ y => 1 })}" == "D({'x' => undef, 'y' => 1})")

## objects in the alternate form stand on several lines
type C = Object[{attributes => {x => Any}}]
assert(String([C(1)], '%#p') == "[C({\n    'x' => 1\n  })]")
assert(String({ a => C(1) }, '%#p') == "{\n  'a' => C({'x' => 1})\n}")
assert(String(C([1, [2]]), '%#p') == "C({\n  'x' => [\n    1,\n    [2]\n  ]\n})")
assert(String(C({ a => C([]) }), '%#p') == "C({\n  'x' => {\n    'a' => C({\n      'x' => []\n    })\n  }\n})")

## values within an object's text
type C = Object[{attributes => {x => Any}}]
assert("${C(Timespan(1))} ${C(SemVer('1.0.0'))}" == "C({'x' => '0-00:00:01.0'}) C({'x' => '1.0.0'})")

## an object takes no attribute that its type does not have
type C = Object[{attributes => {a => Integer}}]
$c = C({ a => 1, z => 2 }) #! RUNTIME_ERROR

## a derived attribute has no code in Puppet
type C = Object[{attributes => {a => Integer, d => {type => Integer, kind => derived}}}]
assert(C(1).a == 1)
notice(C(1).d) #! RUNTIME_ERROR "C[d]"

## an attribute that is given or derived must be given
type C = Object[{attributes => {a => Integer, d => {type => Integer, kind => given_or_derived}}}]
assert(C(1, 2).d == 2)
$c = C(1) #! RUNTIME_ERROR

## a function of a type has no code in Puppet
type C = Object[{attributes => {a => Integer}, functions => {f => Callable[[Integer], String]}}]
notice(C(1).f(2)) #! RUNTIME_ERROR "C[f]"

## equality may look at some attributes only
type C = Object[{attributes => {a => Integer, b => Integer}, equality => [a]}]
assert(C(1, 2) == C(1, 3))
assert(C(1, 2) != C(2, 2))

## a type and its parent
type P = Object[{attributes => {a => Integer}}]
type C = Object[{parent => P, attributes => {b => Integer}}]
assert(C(1, 2).a == 1 and C(1, 2).b == 2)
assert(C(1, 2) =~ P and !(P(1) =~ C) and C < P)
assert(P(1) != C(1, 2))

## an attribute of the parent is not redefined by accident
type P = Object[{attributes => {a => Integer}}]
type C = Object[{parent => P, attributes => {a => String}}] #! RUNTIME_ERROR "override"
notice(C('x'))

## an attribute takes no arguments
type C = Object[{attributes => {a => Integer}}]
notice(C(1).a(2)) #! RUNTIME_ERROR "C[a]"

## type parameters tell objects of one type apart
type C = Object[{type_parameters => {t => Integer}, attributes => {t => Integer}}]
assert(C(1) =~ C[1] and !(C(1) =~ C[2]) and C(1) =~ C)
assert("${type(C(1))}" == 'C[1]')

## Init takes what makes an object
type C = Object[{attributes => {a => Integer}}]
assert(1 =~ Init[C] and { a => 1 } =~ Init[C] and !('x' =~ Init[C]))
assert(Init[C](1) == C(1))

## an alias may contain itself
type Nested = Variant[Integer, Hash[String, Nested]]
assert({ a => { b => 1 } } =~ Nested)
assert(!({ a => { b => 'x' } } =~ Nested))
assert("${Nested}" == 'Nested = Variant[Integer, Hash[String, Nested]]')

## an alias within its own Variant does not count
type A = Variant[A, Integer]
assert(1 =~ A and !('x' =~ A))

## aliases may contain each other
type A = Variant[B, Integer]
type B = Variant[A, String]
assert(1 =~ A and 'x' =~ A and 1 =~ B and !(undef =~ A))

## an alias that is nothing but itself
type A = NotUndef[A]
notice(1 =~ A) #! RUNTIME_ERROR

## iteration over Integer and Enum types
assert(Integer[1, 3].map |$n| { $n } == [1, 2, 3])
assert(Integer[1, 10].step(3).map |$n| { $n } == [1, 4, 7, 10])
assert(Integer[1, 3].reverse_each.map |$n| { $n } == [3, 2, 1])
assert(Enum['b', 'a'].map |$word| { $word } == ['a', 'b'])

## an alias is iterated as what it stands for
type A = Integer[1, 3]
type E = Enum['a', 'b']
assert(A.map |$n| { $n } == [1, 2, 3] and Array(A) == [1, 2, 3] and Array(E) == ['a', 'b'])

## the bare Enum is iterated without any turn
assert(Enum.map |$word| { $word } == [] and Array(Enum) == [] and Enum =~ Iterable[String])

## an Integer type without an end is not iterated
$x = Integer[3].map |$n| { $n } #! RUNTIME_ERROR

## types are keys, text and titles
$hash = { Integer => 1, Integer[1, 2] => 2, 'Integer' => 3 }
assert([$hash[Integer], $hash[Integer[1, 2]], $hash['Integer']] == [1, 2, 3])
assert("${Integer[1, 2]} and ${[String]}" == 'Integer[1, 2] and [String]')

## a title is no type
notify { Integer: } #! ILLEGAL_TITLE_TYPE_AT

## type() in its three ways
$value = [1, 'a', undef]
assert("${type($value, detailed)}" == 'Tuple[Integer[1, 1], String, Undef]')
assert("${type($value, reduced)}" == 'Array[ScalarData, 3, 3]')
assert("${type($value, generalized)}" == 'Array[ScalarData]')
assert(1.type(generalized) == Integer)

## type() has no fourth way
$x = type(1, 'nope') #! RUNTIME_ERROR

## times calculate
assert(Timespan(1) + Timespan(2) == Timespan(3))
assert(Timespan(5) - 1 == Timespan(4))
assert(Timestamp(10) - Timestamp(4) == Timespan(6))
assert(Timestamp(10) + 5 == Timestamp(15))
assert(Timespan(10) * 2 == Timespan(20))
assert(Timespan(10) / 4 == Timespan(2.5))
assert(Timespan(10) / Timespan(4) == 2.5)
assert(Timespan(10) % 4 == 2)
assert(2 * Timespan(10) == Timespan(20) and 2 + Timespan(10) == Timespan(12))
assert(-Timespan(1) == Timespan(-1))

## there is no rest of a time divided by a time
$x = Timespan(10) % Timespan(4) #! RUNTIME_ERROR

## there is no rest of a time divided by a Float
$x = Timespan(10) % 4.0 #! OPERATOR_NOT_APPLICABLE_WHEN

## times are not multiplied by each other
$x = Timespan(10) * Timespan(4) #! RUNTIME_ERROR

## times are not divided by points in time
$x = Timespan(10) / Timestamp(4) #! RUNTIME_ERROR

## a time is no distance of a shift
$x = 1 << Timespan(4) #! OPERATOR_NOT_APPLICABLE_WHEN

## times that are not added
$x = Timestamp(1) + Timestamp(2) #! RUNTIME_ERROR

## times are not multiplied by points in time
$x = Timestamp(1) * 2 #! OPERATOR_NOT_APPLICABLE

## times compare with numbers
assert(Timespan(1) < 2 and 1 < Timespan(2) and Timestamp(1) < Timestamp(2))

## a duration does not compare with a point in time
$x = Timespan(1) < Timestamp(2) #! COMPARISON_NOT_POSSIBLE

## versions compare
assert(SemVer('1.0.0') < SemVer('1.0.1'))
assert(SemVer('1.0.0-rc.1') < SemVer('1.0.0'))

## versions are in ranges
assert(SemVer('1.2.0') =~ SemVerRange('1.x') and SemVer('1.2.0') in SemVerRange('1.x'))
assert('1.2.0' in SemVerRange('1.x') and !('2.0.0' in SemVerRange('1.x')))
assert('1.2.0' in [SemVer('1.2.0')] and '1.2.0' in [SemVerRange('1.x')])
assert('1.2.0' in { SemVerRange('1.x') => 1 })
$text = case '1.2.0' { SemVerRange('1.x'): { 'in' } default: { 'out' } }
assert($text == 'in')
$same = case '1.2.0' { SemVer('1.2.0'): { 'same' } default: { 'other' } }
assert($same == 'same')
$none = case 'x' { SemVerRange('1.x'): { 'in' } default: { 'out' } }
assert($none == 'out')
$range = case SemVerRange('1.x') { SemVerRange('1.x'): { 'in' } default: { 'out' } }
assert($range == 'out')

## versions are not added
$x = SemVer('1.0.0') + 1 #! OPERATOR_NOT_APPLICABLE

## URIs are joined
assert("${URI('http://a/b') + 'c'}" == 'http://a/c')
assert(URI('http://a/b') == URI('http://A/b'))

## URIs are joined with text only
$x = URI('http://a/b') + 1 #! RUNTIME_ERROR

## URIs are not subtracted
$x = URI('http://a/b') - 'c' #! NOT_NUMERIC

## binaries are joined
assert(Binary('YQ==') + Binary('Yg==') == Binary('YWI='))

## binaries have bytes
assert(Binary('YWJj')[1] == Binary('Yg==') and Binary('YWJj')[1, -1] == Binary('YmM='))
assert(Binary('YWJj')[5] == Binary(''))
assert('bc' in Binary('YWJj') and 97 in Binary('YWJj') and !('x' in Binary('YWJj')))

## binaries have no order
$x = Binary('YQ==') < Binary('Yg==') #! COMPARISON_NOT_POSSIBLE

## secrets are not added
$x = Sensitive(1) + 1 #! NOT_NUMERIC

## types are not added
$x = Integer + Integer #! NOT_NUMERIC

## a number does not compare with a type
assert(!(Integer < 5) and !(Integer >= 5))
$x = 5 > Integer #! COMPARISON_NOT_POSSIBLE

## types in case and selector
$found = case 5 { Integer[1, 3]: { 'a' } Integer[4, 6]: { 'b' } default: { 'c' } }
assert($found == 'b')
$of_type = case String { Type[Integer]: { 'a' } Type[String]: { 'b' } default: { 'c' } }
assert($of_type == 'b')

## assert_type tells its lambda what was expected
assert(assert_type(Enum[a, b], 'c') |$expected, $actual| { "${expected} ${actual}" } == "Enum['a', 'b'] String")

## types are held in variables
$type = Integer
$narrow = $type[1, 5]
assert(3 =~ $narrow and !(6 =~ $narrow))
assert($type.new('7') == 7)
assert(new($type, '7') == 7)

## references to resources and classes are types
assert(File['a', 'b'] == [File['a'], File['b']])
assert(Resource['file', 'a'] == File['a'])
assert(Class['x'] != Class['y'])

## a parameter may ask for a type
function f(Type[Integer] $type) { $type }
assert(f(Integer[1, 2]) == Integer[1, 2])
f(String) #! RUNTIME_ERROR "expects a Type[Integer] value, got Type[String]"

## the last parameter of a Callable is its block where it is Callable, by an alias too
type A = Callable[String]
type B = Optional[A]
assert("${Callable[A]} ${Callable[Integer, B]}" == 'Callable[0, 0, A] Callable[Integer, B]')
assert("${Callable[Variant[A, B]]}" == 'Callable[0, 0, Variant[A, B]]')
assert("${Callable[Variant[A, String]]}" == 'Callable[Variant[A, String]]')

## a function promises what it returns
function f(Integer $x) >> String { $x }
$x = f(1) #! RUNTIME_ERROR

## Stdlib's aliases
#@ file stdlib/types/port.pp | type Stdlib::Port = Integer[0, 65535]
#@ file stdlib/types/ensure.pp | type Stdlib::Ensure = Variant[Stdlib::Port, Enum['present', 'absent']]
class a (Stdlib::Ensure $ensure, Optional[Stdlib::Port] $port = undef) { notice($ensure) }
class { 'a': ensure => 'present', port => 80 }
#> present

## Stdlib's aliases refuse
#@ file stdlib/types/port.pp | type Stdlib::Port = Integer[0, 65535]
class a (Optional[Stdlib::Port] $port) { }
class { 'a': port => 70000 } #! RUNTIME_ERROR "Stdlib::Port"

## a set of types in a module, which another refers to
#@ file one/types/init_typeset.pp | type One = TypeSet[{pcore_version => '1.0.0', version => '1.2.0', types => {Wheel => Object[{attributes => {size => Integer}}], Count => Integer[1]}}]
assert(One::Wheel(5).size == 5)
assert(5 =~ One::Count and !(0 =~ One::Count))

## types of a set know each other
#@ file one/types/init_typeset.pp | type One = TypeSet[{pcore_version => '1.0.0', version => '1.2.0', types => {A => Integer, B => Array[A], C => Object[{attributes => {x => B}}]}}]
assert([1] =~ One::B and !(['x'] =~ One::B))
assert("${One::C([1])} ${One::B}" == "One::C({'x' => [1]}) One::B = Array[One::A = Integer]")

## objects of a set in short, one the parent of the other
#@ file one/types/init_typeset.pp | type One = TypeSet[{pcore_version => '1.0.0', version => '1.2.0', types => {A => {attributes => {x => Integer}}, B => A{attributes => {y => Integer}}}}]
assert("${One::B(1, 2)}" == "One::B({'x' => 1, 'y' => 2})" and One::B < One::A)

## a set that another refers to is not there
#@ file one/types/init_typeset.pp | type One = TypeSet[{pcore_version => '1.0.0', version => '1.2.0', types => {A => Integer}, references => {R => {name => 'Two', version_range => '1.x'}}}]
notice(One::A) #! RUNTIME_ERROR "Two"

## a set that another refers to has another version
#@ file two/types/init_typeset.pp | type Two = TypeSet[{pcore_version => '1.0.0', version => '2.2.0', types => {B => String}}]
#@ file one/types/init_typeset.pp | type One = TypeSet[{pcore_version => '1.0.0', version => '1.2.0', types => {A => Array[R::B]}, references => {R => {name => 'Two', version_range => '1.x'}}}]
notice(One::A) #! RUNTIME_ERROR "Two"

## a parent in front of the attributes
type Base = {attributes => {w => Integer}}
type Car = Base{attributes => {x => Integer}}
assert("${Car(4, 5)}" == "Car({'w' => 4, 'x' => 5})" and Car < Base)

## a type parameter in full
type C = Object[{type_parameters => {t => {type => Integer}}, attributes => {t => Integer}}]
assert(C(1) =~ C[1] and !(C(1) =~ C[2]))

## annotations are of types below Annotation, and shown by name
type Note = Object[{parent => Annotation, attributes => {text => String}}]
type C = Object[{annotations => {Note => {text => 'x'}}, attributes => {
  a => { type => Integer, annotations => {Annotation => {} } },
}}]
assert("${C}" == "Object[{annotations => {Note => {'text' => 'x'}}, name => 'C', attributes => {'a' => {type => Integer, annotations => {Annotation => {}}}}}]")

## annotations are of no other type
type C = Object[{annotations => {String => {}}}] #! RUNTIME_ERROR "annotations"
notice(C)

## an attribute's annotations are of no other type
type C = Object[{attributes => {a => {type => Integer, annotations => {'x' => {}}}}}] #! RUNTIME_ERROR "annotations"
notice(C)

## equality does not name what the parent's has already
type P = Object[{attributes => {a => Integer}}]
type C = Object[{parent => P, attributes => {b => Integer}, equality => [a]}] #! RUNTIME_ERROR "equality"
notice(C)

## equality may name what the parent's leaves out
type P = Object[{attributes => {a => Integer, b => Integer}, equality => [a]}]
type C = Object[{parent => P, attributes => {c => Integer}, equality => [b]}]
assert(C(1, 2, 3) == C(1, 2, 4) and C(1, 2, 3) != C(1, 3, 3) and C(1, 2, 3) != C(2, 2, 3))

## equality is a name or names
type C = Object[{equality => undef}] #! RUNTIME_ERROR "equality"
notice(C)

## what is equal to other types names no attributes
type C = Object[{attributes => {a => Integer}, equality => [a], equality_include_type => false}] #! RUNTIME_ERROR "equality"
notice(C)

## objects of which nothing counts are equal to themselves alone
type C = Object[{attributes => {a => Integer}, equality => [], equality_include_type => false}]
$c = C(1)
assert($c == $c and C(1) != C(1) and [$c, C(1)].unique.length == 2)
type D = Object[{attributes => {a => Integer}, equality => []}]
assert(D(1) == D(2))

## the type on the left says whether types count
type P = Object[{attributes => {a => Integer}, equality_include_type => false}]
type C = Object[{parent => P, attributes => {b => Integer}}]
assert(P(1) == C(1, 2) and C(1, 2) != P(1) and P(2) != C(1, 2))
assert(C(1, 2) in [P(1)] and !(P(1) in [C(1, 2)]))
assert({ P(1) => 1, C(1, 2) => 2 }.length == 2)

## an alias of an object's type leaves it its name
type O = Object[{attributes => {x => Integer}}]
type Q = O
type Mistake = Error
assert("${Q}" == "Q = Object[{name => 'O', attributes => {'x' => Integer}}]")
assert("${Q(1)} ${O(1)}" == "O({'x' => 1}) O({'x' => 1})" and "${Mistake('a')}" == "Error({'msg' => 'a'})")

## an array loses what is the same number, and text in the same letters
assert([1, 2] - 1.0 == [2] and [1, 2] - Timespan(1) == [2] and [Timestamp(1), 2] - [1] == [2])
assert([1, 2] - [1.0] == [2] and [[1], { a => 1 }, 2] - [[1.0], { a => 1.0 }] == [2])
assert(['a', true, '1'] - ['A', 1] == ['a', true, '1'])
assert([Integer, Variant[Integer, String]] - Integer == [Variant[Integer, String]])

## an alias may name a resource type that nobody knows
type W = Resource[Nosuch]
assert("${W}" == 'W = Nosuch' and !(1 =~ W) and W <= Resource and Resource['nosuch', 'a'] =~ Type[W])

## a TypeSet may name types that nobody knows
type T = TypeSet[{ version => '1.0.0', pcore_version => '1.0.0', types => {
  A => Nosuch, B => Array[A], C => { attributes => {a => Nosuch} },
} }]
assert("${T}" =~ /types => {A => TypeReference\['Nosuch'\], B => Array\[TypeReference\['Nosuch'\]\], C => Object\[{attributes => {'a' => TypeReference\['Nosuch'\]}}\]}/)

## a TypeSet shows its own types by what they are, others by name
type X = Integer
type O = Object[{attributes => {x => Integer}}]
type T = TypeSet[{ version => '1.0.0', pcore_version => '1.0.0', types => {
  A => X, B => Variant[Integer, Array[B]], C => Array[B], D => O,
} }]
assert("${T}" == "TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'T', version => '1.0.0', types => {A => X, B => Variant[Integer, Array[B]], C => Array[Variant[Integer, Array[B]]], D => Object[{name => 'O', attributes => {'x' => Integer}}]}}]")

## a TypeSet may hold a TypeSet, and have annotations
type T = TypeSet[{ version => '1.0.0', pcore_version => '1.0.0', annotations => {Annotation => {} }, types => {
  A => TypeSet[{ version => '1.0.0', pcore_version => '1.0.0', types => {B => Integer} }],
} }]
assert("${T}" =~ /\ATypeSet\[{annotations => .* types => {A => TypeSet\[{.* name => 'T::A', .* types => {B => Integer}}\]}}\]\z/)

## the parent of an Object type must be known
type C = Object[{parent => Nosuch}]
notice(C) #! RUNTIME_ERROR "Nosuch"

## what is no type stands for its own in Callable
assert("${Callable[1, 2, 3]} ${Callable['a', 1.5]}" == "Callable[Integer, 2, 3] Callable[Runtime[ruby, 'a'], Float]")
assert(Callable[1, 2, 3] == Callable[Integer, 2, 3] and "${Callable[-1, -1]}" == 'Callable[0, 0]')

## ranges of versions that touch are one
assert(SemVer['1.x', '2.x'] == SemVer['>=1.0.0 <3.0.0'] and SemVer['1.x', '3.x'] != SemVer['>=1.0.0 <4.0.0'])
assert("${SemVer['2.x', '1.x']} ${SemVer['1.x', '3.x']}" == "SemVer['>=1.0.0 <3.0.0'] SemVer['1.x', '3.x']")

## types within objects stand on several lines in the alternate form
type C = Object[{attributes => {x => Any}}]
assert(String(C(Struct[{a => Integer}]), '%#p') == "C({\n  'x' => Struct[{\n    'a' => Integer\n  }]\n})")
assert(String(C([Integer, URI['a:/b']]), '%#p') == "C({\n  'x' => [\n    Integer,\n    URI[{\n      'scheme' => 'a',\n      'path' => '/b'\n    }]\n  ]\n})")
assert(String([C([C])], { Object => '%#p' }) == "[C({\n    'x' => [\n      C\n    ]\n  })]")

## an inner array in the alternate form begins a line
assert(String([[1], [2]], { Array[Integer] => '%#a' }) == "[\n  [1],\n  [2]]")
assert(String([1, [], 2], { Array[Integer, 0, 0] => '%#(s' }) == "[1,\n  (), 2]")

## an alias has the normal form of its type
type N1 = Variant[Integer[1, 2], Integer[2, 5]]
type N2 = Variant[Enum['b'], Integer, Optional['x'], Enum['A', true], Enum['C', true]]
type N3 = Variant[Undef, Integer, Optional[String]]
type N4 = Optional[NotUndef[Any]]
type N5 = NotUndef[Optional[Integer]]
type N6 = Hash[Variant[Float[1.0, 2.0], Float[2.0, 3.0]], Array[Variant[Pattern[/a/], Pattern[/b/]]]]
type N7 = Variant[NotUndef[Scalar], NotUndef[Data], Boolean]
type N8 = Callable[Variant[Integer[1, 1], Integer[2, 2]], Optional[Any]]
notice(N1)
notice(N2)
notice(N3)
notice(N4)
notice(N5)
notice(N6)
notice(N7)
notice(N8)
#> N1 = Integer[1, 5]
#> N2 = Optional[Variant[Integer, Enum['b', 'x'], Enum['a', 'c', true]]]
#> N3 = Optional[Variant[Integer, String]]
#> N4 = Optional
#> N5 = Integer
#> N6 = Hash[Float[1.0, 3.0], Array[Pattern[/a/, /b/]]]
#> N7 = Variant[Scalar, NotUndef[Data], Boolean]
#> N8 = Callable[Integer[1, 2], Any]

## the normal form of a Collection, and of an Array of any elements, has no size
type N1 = Collection[5, 6]
type N2 = Array[Any, 5]
type N3 = Hash[Any, Any, 5]
assert([] =~ N1 and [] =~ N2 and !({} =~ N3))

## an alias of nothing but Variants
type N1 = Variant
notice(N1) #! RUNTIME_ERROR "cannot be resolved to a real type"
