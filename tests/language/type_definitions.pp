# Types that Puppet code defines, and relations between types that Puppet 7.23 and OpenVox 8.28 agree on.

## Init of a type without new is an error where it is used
notice('x' =~ Init[Any])                                                     #! RUNTIME_ERROR "Any"

## Init of a Variant takes nothing, although its types have a new
notice(Init[Variant[Integer, String]]('x'))                                  #! RUNTIME_ERROR "Variant[Integer, String]"

## Init of a parametrized type is named with its parameters
notice(Init[Enum['a']]('a'))                                                 #! RUNTIME_ERROR "Enum['a']"

## Init of an alias is named by the alias
notice(Init[Data]('x'))                                                      #! RUNTIME_ERROR "Data"

## Init in a parameter is checked when it gets a value
class c(Init[Scalar] $x) { } class { 'c': x => 'y' }                         #! RUNTIME_ERROR "Scalar"

## Init of a type that takes an Init of itself ends
type One = Object[{ attributes => { i => Variant[Init[One], String] } }]
notice(Init[One]('w'))
#> One({'i' => 'w'})
assert('w' =~ Init[One])

## a TypeSet needs no version
type T = TypeSet[{ pcore_version => '1.0.0' }]
assert(T =~ Type[TypeSet])
notice(T)
#> TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'T'}]

## a TypeSet of another major version of Pcore is refused
type T = TypeSet[{ pcore_version => '2.0.0', version => '1.0.0' }] notice(T) #! RUNTIME_ERROR "got 2.0.0"

## the types of a TypeSet are a hash
type T = TypeSet[{ pcore_version => '1.0.0', types => [] }] notice(T)        #! RUNTIME_ERROR "types"

## the types of a TypeSet are not empty
type T = TypeSet[{ pcore_version => '1.0.0', types => {} }] notice(T)        #! RUNTIME_ERROR "types"

## the references of a TypeSet are a hash
type T = TypeSet[{ pcore_version => '1.0.0', references => [] }] notice(T)   #! RUNTIME_ERROR "references"

## the references of a TypeSet are not empty
type T = TypeSet[{ pcore_version => '1.0.0', references => {} }] notice(T)   #! RUNTIME_ERROR "references"

## the authority of a TypeSet is a URI
type T = TypeSet[{ pcore_version => '1.0.0', name_authority => 'not a uri' }] notice(T) #! RUNTIME_ERROR "name_authority"

## two references of a TypeSet do not name the same set
type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer } }]
type T = TypeSet[{ pcore_version => '1.0.0', references => { A => { name => 'S', version_range => '1.x' }, B => { name => 'S', version_range => '3.x' } } }] notice(T) #! RUNTIME_ERROR "more than once"

## references of a TypeSet are shown with quoted keys
type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { Car => Object[{}] } }]
type T = TypeSet[{ pcore_version => '1.0.0', references => { X => { name => 'S', version_range => '1.x' } }, types => { A => X::Car } }]
notice(T)
#> TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'T', types => {A => Object[{name => 'S::Car'}]}, references => {X => {'name' => 'S', 'version_range' => '1.x'}}}]

## a name leads through the references of another TypeSet
type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { Car => Object[{}] } }]
type T = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', references => { V => { name => 'S', version_range => '1.x' } }, types => { A => V::Car } }]
type U = TypeSet[{ pcore_version => '1.0.0', references => { W => { name => 'T', version_range => '1.x' } }, types => { B => Variant[W::V::Car, String] } }]
notice(U::B =~ Type)
#> true
notice(Variant[W::V::Car, String] =~ Type)                                   #! UNKNOWN_RESOURCE_TYPE "W::V::Car"

## objects in a catalog lack the attributes that have their default value
type P = Object[{ attributes => { a => { type => String, value => 'dflt' }, b => Integer } }]
notify { 'x': message => P({ b => 1, a => 'dflt' }) }
#= Notify[x] {"message": {"__ptype": "P", "b": 1}}

## bare types in a catalog have empty lists
notify { 'x': message => [Enum, Pattern, Tuple, Variant] }
#= Notify[x] {"message": [{"__ptype": "Pcore::EnumType", "values": []}, {"__ptype": "Pcore::PatternType", "patterns": []}, {"__ptype": "Pcore::TupleType", "types": []}, {"__ptype": "Pcore::VariantType", "types": []}]}

## an annotation that a type declares is not cleared
type Ann = Object[{ parent => Annotation, attributes => { x => { type => Optional[String], value => undef } } }]
type Obj = Object[{ attributes => { a => Integer }, annotations => { Ann => { x => 'q' } } }]
Ann.annotate(Obj, clear)                                                     #! RUNTIME_ERROR "attempt to clear"

## an annotation that a type declares is not redefined
type Ann = Object[{ parent => Annotation, attributes => { x => { type => Optional[String], value => undef } } }]
type Obj = Object[{ attributes => { a => Integer }, annotations => { Ann => { x => 'q' } } }]
notice(Ann.annotate(Obj, { x => 'r' }))                                      #! RUNTIME_ERROR "attempt to redefine"

## the keys of rich data are not names of attributes
type O = Object[{ attributes => { __ptype => Integer } }] notice(O)          #! RUNTIME_ERROR "__ptype"

## the value key of rich data is not the name of an attribute
type O = Object[{ attributes => { __pvalue => Integer } }] notice(O)         #! RUNTIME_ERROR "__pvalue"

## a constant whose type says more than its value is shown as an attribute
type O = Object[{ attributes => { a => { type => Integer[0, 30], kind => constant, value => 23 } } }]
notice(O)
#> Object[{name => 'O', attributes => {'a' => {type => Integer[0, 30], kind => constant, value => 23}}}]

## a constant whose type follows from its value is shown as a constant
type O = Object[{ attributes => { a => { type => Integer, kind => constant, value => 23 } } }]
notice(O)
#> Object[{name => 'O', constants => {'a' => 23}}]

## a function of an Object type may be called []
type O = Object[{ functions => { '[]' => Callable[[Integer], String] } }]
notice(O)
#> Object[{name => 'O', functions => {'[]' => Callable[[Integer], String]}}]

## an Object type with an unknown parent is an error
type O = Object[{ parent => Nope, attributes => { a => Integer } }] notice(O) #! RUNTIME_ERROR "Nope"

## more than two type parameters are shown as a hash
type T = Object[{ type_parameters => { p1 => String, p2 => String, p3 => String }, attributes => { p1 => String, p2 => String, p3 => String } }]
notice(T['my'])
#> T[{'p1' => 'my'}]
notice(T['my', 'b'])
#> T[{'p1' => 'my', 'p2' => 'b'}]

## two type parameters are shown by position
type T = Object[{ type_parameters => { p1 => String, p2 => String }, attributes => { p1 => String, p2 => String } }]
notice(T['my'])
#> T['my']

## an Array that is shorter than a Tuple never reaches its last types
assert(Tuple[Integer, Integer, String, 1, 3] >= Array[Integer, 1, 2])
assert(!(Tuple[Integer, Integer, String, 1, 3] >= Array[Integer, 1, 3]))
assert(!(Tuple[Integer, Integer, String, 1, 3] >= Array[Integer, 1]))
assert(Tuple[Integer, String, 0, 3] >= Array[Integer, 0, 1])

## a range of integers yields the numbers of the range
assert(Iterable[Integer[0, 6]] >= Type[Integer[0, 5]])
assert(!(Iterable[Integer[0, 4]] >= Type[Integer[0, 5]]))
assert(Integer[0, 5] =~ Iterable[Integer[0, 5]])
assert(Integer[0, 5] !~ Iterable[Integer[0, 3]])

## steps of a range yield the numbers between the first and the last step
notice(type(Integer[5, 20].step(4)))
#> Iterator[Integer[5, 17]]
notice(type(20.step(3)))
#> Iterator[Integer[0, 18]]
notice(type(Integer[5, 20].step(4).reverse_each))
#> Iterator[Integer[5, 17]]
notice(type(Integer[5, 20].step(4).step(2)))
#> Iterator[Integer[5, 13]]
notice(type(0.step(3)))
#> Iterator[Unit]

## formats for Type are for types
notice(String(Integer, { Type => '%#s' }))
#> "Integer"
notice(String(Integer, { Type => '%10s' }))
#>    Integer

## the alternate format of a Binary escapes what is not printable
notice(String(Binary('apY='), { Binary => '%#s' }))
#> "j\x96"
notice(String(Binary('w6kK'), { Binary => '%#s' }))
#> "\xC3\xA9\n"
notice(String(Binary('I3s='), '%#s'))
#> "\#{"

## parameters of generated resource types
$p = Puppet::Resource::Param.new(String, 'message', true)
notice($p)
#> message
notice($p.name, $p.name_var)
#> message true
assert($p =~ Puppet::Resource::Param)
notice(Puppet::Resource::ResourceType3('foo', [$p]).properties[0].type)
#> String

## a type alias contains no interpolation
$n = 3
type Dynamic = Enum["a${n}"] notice('a3' =~ Dynamic) #! RUNTIME_ERROR "The expression <"a${n}"> is not a valid type specification"

## a type alias contains no operators
type Dynamic = Integer[0, 1 + 1] notice(Dynamic) #! RUNTIME_ERROR "<1 + 1>"

## a type alias contains no calls
type Dynamic = Optional[type(3)] notice(Dynamic) #! RUNTIME_ERROR "<type(3)>"

## a type alias contains no variables, however deep
$n = 3
type Dynamic = Struct[{ k => Array[String[$n]] }] notice(Dynamic) #! RUNTIME_ERROR "<$n>"

## a type alias contains no parentheses
type Dynamic = Integer[(1)] notice(Dynamic) #! RUNTIME_ERROR "<(1)>"

## a type alias spreads no arrays
type Dynamic = Enum[*['a', 'b']] notice(Dynamic) #! RUNTIME_ERROR "<*['a', 'b']>"

## a type alias has its parameters in no array
type Dynamic = Hash[String, [Integer]] notice(Dynamic) #! RUNTIME_ERROR "<Hash[String, [Integer]]>"

## an object type contains no operators
type Dynamic = Object[{attributes => { a => { type => Integer, value => 1 + 1 } }}] notice(Dynamic) #! RUNTIME_ERROR "<1 + 1>"

## a type alias that cannot be read and is not used is no error
$n = 3
type Dynamic = Integer[0, $n]
notice('done')
#> done

## a type alias contains literals
type Literal = Struct[{ 'a' => Integer[-1, default], b => Variant[Enum[x, 'y'], Pattern[/a/], Boolean[true]] }]
type Taking = Callable[[Integer, String], Optional[Literal]]
assert({ a => -1, b => x } =~ Literal)
assert(Taking =~ Type[Callable])

## a type alias has no name of a built-in type
type Binary = Integer #! RESERVED_TYPE_NAME

## a type alias has no name of a resource type
type File = Integer #! RESERVED_TYPE_NAME

## a type alias has no name of Puppet's own types
type Puppet::LookupContext = Integer #! RESERVED_TYPE_NAME

## Unit and Error are free as names of type aliases
type Unit = Integer
type Error = Integer
assert(1 =~ Unit)

## a type alias is defined once
type Twice = Integer
type Twice = String #! RUNTIME_ERROR "Type alias 'Twice' is already defined"

## a function is defined once
function twice() { 1 }
function twice() { 2 } #! RUNTIME_ERROR "Function 'twice' is already defined"

## a defined type is not named like the class of settings
define settings { } #! RUNTIME_ERROR "A defined type cannot be named 'settings'"

## a node is not named like the class of settings
node settings { } #! RUNTIME_ERROR "A node definition cannot be named 'settings'"

## a function has no parameter with the name of a reserved variable
function f($facts) { $facts }
f(1) #! ILLEGAL_RESERVED_ASSIGNMENT "facts"

## a lambda has no parameter with the name of a reserved variable
[1].each |$server_facts| { } #! ILLEGAL_RESERVED_ASSIGNMENT "server_facts"

## the variable server_facts is not assigned
$server_facts = 1 #! ILLEGAL_RESERVED_ASSIGNMENT

## a collector as a value
notice(File <| title == a |>, User <| |>)
#> Catalog-Collector[File] Catalog-Collector[User]

## an attribute with features has no default, an Optional one of its own type has undef
type Short = Object[{attributes => { a => Integer, b => Optional[String] }}]
type Long = Object[{attributes => { a => Integer, b => { type => Optional[String], kind => reference } }}]
notice(Short(1), Short({ a => 1 }), Long({ a => 1 }), Long(1, undef))
notice(Long(1)) #! RUNTIME_ERROR "expects 2 arguments, got 1"
#> Short({'a' => 1}) Short({'a' => 1}) Long({'a' => 1, 'b' => undef}) Long({'a' => 1, 'b' => undef})

## a context of Hiera as a value
$context = Puppet::LookupContext('m')
notice($context, "${context} ${[$context]}", $context.module_name)
notice($context == Puppet::LookupContext('m'), $context =~ Puppet::LookupContext)
class c(Integer $p) { }
class { 'c': p => $context } #! RUNTIME_ERROR "expects an Integer value, got Puppet::LookupContext"
#> Puppet::LookupContext({}) Puppet::LookupContext({}) [Puppet::LookupContext({})] m
#> false true

## an alias of a TypeSet in another is not a name of one of its types
#@ file one/types/init_typeset.pp | type One = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {A => Integer}}]
#@ file two/types/init_typeset.pp | type Two = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {B => Integer}, references => {B => {name => 'One', version_range => '1.x'}}}]
#! RUNTIME_ERROR "references a TypeSet"
notice(Two)

## a reference to a TypeSet of another name authority leads nowhere
#@ file one/types/init_typeset.pp | type One = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {A => Integer}}]
#@ file two/types/init_typeset.pp | type Two = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {B => Integer}, references => {O => {name => 'One', version_range => '1.x', name_authority => 'http://example.com'}}}]
notice(Two) #! RUNTIME_ERROR "One"

## messages about times show types of the language
notice(Timespan[{ a => String }]) #! RUNTIME_ERROR "a => Type[String]"

## the parent of an Object type is unknown outside of an alias, too
notice(Object[{name => 'Q', parent => Type('NoSuch')}])   #! RUNTIME_ERROR "NoSuch"

## a type of no known name has a name that code cannot use
notice(Array[TypeReference])   #! UNKNOWN_RESOURCE_TYPE "UnresolvedReference"

## the parameters of such a type
notice(1 =~ TypeReference['X'])   #! UNKNOWN_RESOURCE_TYPE "UnresolvedReference"

## TypeReference has no parameters in an alias
type A = TypeReference['X'] notice(A)                           #! RUNTIME_ERROR "TypeReference"

## TypeReference has no parameters in a text
notice(Type("Array[TypeReference['X']]"))                       #! RUNTIME_ERROR "TypeReference"

## an Object type in a text needs a known parent
notice(Type('Variant[Object[{parent => NoSuch}], Integer]'))    #! RUNTIME_ERROR "NoSuch"

## an Object type in an Object type in a text needs a known parent
notice(Type('Object[{parent => Object[{parent => NoSuch}]}]'))  #! RUNTIME_ERROR "NoSuch"

## attributes may have the names of control statements
type M = Object[{ attributes => { break => String, next => String, return => String } }]
$m = M('a', 'b', 'c')
function f($m) { $m.return }
notice($m.break, $m.next, $m.return, f($m), [$m].map |$x| { $x.next })
#> a b c c [b]
notice(2)
#> 2

## a method call of next, return and break with another receiver is the statement
function f() { 3.return 4 }
notice(f(), [1, 2].map |$x| { $x.next 5 })
#> 3 [1, 2]

## an unknown type is not the name of a class
notice(Class[Foo])                                              #! ILLEGAL_HOSTCLASS_NAME "Foo"

## a type is not the name of a class
notice(Class[Integer])                                          #! ILLEGAL_HOSTCLASS_NAME "Integer"

## Regexp of no pattern
notice(Regexp[[]])                                              #! BAD_TYPE_SLICE_ARITY "0"

## Regexp of unfolded nothing
notice(Regexp[*[]])                                             #! BAD_TYPE_SLICE_ARITY "0"

## undef is no limit of a time, and any type parameter
notice(Timespan[undef], Timestamp[undef], Error[undef])
#> Timespan Timestamp Error[undef]
