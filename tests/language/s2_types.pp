# The statements S2-1 to S2-81 of the text "Data type syntax" (Puppet 6), each in a case of its name.

## S2-1 each value has a data type
assert(type(1) =~ Type)
assert([1, 'a', undef, true, default, [], {}, /a/, Integer].all |$value| { type($value) =~ Type })

## S2-2 a data type is a value, whose type is Type
assert(String =~ Type)
assert(type(String) == Type[String])

## S2-3 a value is tested with =~
$possible_string = 'x'
assert($possible_string =~ String)
assert(!(5 =~ String))

## S2-4 a parameter requires a type
#@ node "n"
class myclass (String $string_parameter = 'default value') { notice($string_parameter) }
include myclass
#> default value

## S2-4 a value of another type is refused
class myclass (String $string_parameter = 'default value') { }
class { 'myclass': string_parameter => 5 } #! RUNTIME_ERROR "parameter 'string_parameter' expects a String value, got Integer"

## S2-5 types are written as unquoted words with a capital
assert(String =~ Type)
assert(!('String' =~ Type))

## S2-6 parameters make a type more specific
assert('12345678' =~ String[8])
assert(!('1234567' =~ String[8]))
assert(String[8] < String)

## S2-7 each type says how many parameters it takes
assert(String[1, 2] =~ Type)
$x = Array[Integer, 1, 2, 3] #! BAD_TYPE_SLICE_ARITY "Array"

## S2-7 each type says what its parameters are
$x = String['a'] #! BAD_COLLECTION_SLICE_TYPE "String"

## S2-7 each type says the order of its parameters
$x = Array[1, 2, String] #! BAD_TYPE_SLICE_TYPE "Array"

## S2-8 most parameters are optional
assert(Integer != Integer[1])
assert(Integer == Integer[default])
assert(Array == Array[Any])

## S2-9 no space before the bracket
notice(Integer [1, 2]) #! SYNTAX_ERROR

## S2-10 parameters are a list of expressions
$low = 1
assert(Integer[$low, $low + 4] == Integer[1, 5])

## S2-11 any space is allowed inside the list
assert(Integer[ 1 ,
    5
  ] == Integer[1, 5])

## S2-12 a comma after the last parameter is accepted all the same
assert(Enum['a', 'b',] == Enum['a', 'b'])

## S2-13 the list ends with a bracket
$x = Integer[1, 5 #! SYNTAX_ERROR

## S2-14 Variant takes any number of types
$type = Variant[Boolean, Enum['true', 'false', 'running', 'stopped']]
assert("${type}" == "Variant[Boolean, Enum['false', 'running', 'stopped', 'true']]")
assert(true =~ $type)
assert('running' =~ $type)
assert(!('walking' =~ $type))
assert(1 =~ Variant[String, Boolean, Integer, Float])

## S2-15 Enum takes any number of strings
assert('a' =~ Enum['a'])
assert('d' =~ Enum['a', 'b', 'c', 'd'])
assert(!('e' =~ Enum['a', 'b', 'c', 'd']))

## S2-16 a type that requires parameters may stand without them
assert(Variant =~ Type)
assert(Variant[String] =~ Type[String])
assert(Type[Variant] =~ Type)

## S2-17 types serve in parameter lists
function half(Integer $whole) { $whole / 2 }
assert(half(8) == 4)

## S2-18 types serve in match expressions
assert(8 =~ Integer)

## S2-19 types serve in case statements
$found = case 8 {
  String: { 'text' }
  Integer[0, 5]: { 'small' }
  Integer: { 'number' }
  default: { 'other' }
}
assert($found == 'number')

## S2-20 types serve in selectors
assert((8 ? { String => 1, Integer => 2, default => 3 }) == 2)

## S2-21 deep and specific types, or an alias
type Service::Ensure = Enum['running', 'stopped']
class service (
  Service::Ensure          $ensure  = 'running',
  String[1]                $package = 'present',
  Hash[String[1], Integer] $limits  = {},
) { }
class { 'service': limits => { '' => 1 } } #! RUNTIME_ERROR "limits"

## S2-22 classes take types
class a (Integer $x) { }
class { 'a': x => 'text' } #! RUNTIME_ERROR "expects an Integer value, got String"

## S2-22 defined types take types
define a(Integer $x) { }
a { 'title': x => 'text' } #! RUNTIME_ERROR "expects an Integer value, got String"

## S2-22 lambdas take types
$x = ['text'].map |Integer $x| { $x } #! RUNTIME_ERROR "expects an Integer value, got String"

## S2-23 an illegal value is an error when it is evaluated
function a(Integer $x) { $x }
if false { a('never') }
a('text') #! RUNTIME_ERROR "parameter 'x' expects an Integer value, got String"

## S2-24 class ntp refuses a string for a Boolean
class ntp (
  Boolean $service_manage = true,
  Boolean $autoupdate     = false,
  String  $package_ensure = 'present',
) { }
class { 'ntp': autoupdate => 'true' } #! RUNTIME_ERROR "parameter 'autoupdate' expects a Boolean value, got String"

## S2-25 puppetdb::server accepts what its Variant names
class puppetdb::params { $puppetdb_service_status = 'running' }
class puppetdb::server (
  Variant[Boolean, Enum['true', 'false', 'running', 'stopped']]
    $puppetdb_service_status = $puppetdb::params::puppetdb_service_status,
) inherits puppetdb::params { notice($puppetdb_service_status) }
include puppetdb::server
#> running
$type = Variant[Boolean, Enum['true', 'false', 'running', 'stopped']]
assert([true, false, 'true', 'false', 'running', 'stopped'].all |$value| { $value =~ $type })

## S2-25 puppetdb::server accepts nothing else
class puppetdb::server (
  Variant[Boolean, Enum['true', 'false', 'running', 'stopped']] $puppetdb_service_status,
) { }
class { 'puppetdb::server': puppetdb_service_status => 'maybe' } #! RUNTIME_ERROR "puppetdb_service_status"

## S2-26 a selector on types
function enabled($enable) {
  $enable ? {
    Boolean => $enable,
    String  => $enable == 'yes',
    Numeric => $enable > 0,
    default => fail('Illegal value for $enable parameter'), #! RUNTIME_ERROR "Illegal value for $enable parameter"
  }
}
assert(enabled(true))
assert(enabled('yes'))
assert(!enabled(0))
enabled([])

## S2-27 =~ and !~ take a type on the right
assert('a' =~ String)
assert('a' !~ Integer)
assert(!('a' !~ String))

## S2-28 5 is an Integer
assert(5 =~ Integer)

## S2-29 5 is an Integer from 1 to 10
assert(5 =~ Integer[1, 10])
assert(!(5 =~ Integer[6, 10]))

## S2-30 assert_type gives the value back
assert(assert_type(Integer, 5) == 5)
assert(assert_type(Integer, 'x') |$expected, $actual| { "${expected} not ${actual}" } == 'Integer not String')

## S2-30 assert_type stops at an illegal value
assert_type(Integer, 'x') #! RUNTIME_ERROR "expects an Integer value, got String"

## S2-31 types are compared
assert(Integer == Integer)
assert(Integer != Float)
assert(Integer < Numeric)
assert(Numeric > Integer)
assert(Integer <= Integer)
assert(Integer[1, 10] >= Integer[2, 3])
assert(!(Integer < Integer))
assert(!(String <= Integer))

## S2-32 type gives the type of a value
assert("${type(3)}" == 'Integer[3, 3]')
assert("${type([3, 'a'])}" == 'Tuple[Integer[3, 3], String]')
assert("${type([3, 'a'], reduced)}" == 'Array[ScalarData, 2, 2]')
assert("${type([3, 'a'], generalized)}" == 'Array[ScalarData]')

## S2-33 Any
assert([1, 'a', undef, [], Integer, default].all |$value| { $value =~ Any })
assert(Any >= Type)

## S2-34 Array
assert([1] =~ Array)
assert(!({} =~ Array))

## S2-35 Binary
assert(Binary('YWJj') =~ Binary)
assert(!('YWJj' =~ Binary))

## S2-36 Boolean
assert(true =~ Boolean)
assert(!('true' =~ Boolean))
assert(Boolean < Scalar and Boolean < Data)

## S2-37 Callable
assert(Callable =~ Type)
assert(Callable[Integer] <= Callable)

## S2-38 CatalogEntry
assert(File['/a'] =~ Type[CatalogEntry])
assert(Class['a'] =~ Type[CatalogEntry])

## S2-39 Class
assert(Class['a'] =~ Type[Class])
assert(Class['a'] < Class)

## S2-40 Collection
assert(Array < Collection)
assert(Hash < Collection)
assert([] =~ Collection[0, 1])

## S2-41 Data
assert({'a' => [1, 2.5, undef, true]} =~ Data)
assert(!({1 => 2} =~ Data))
assert(!(Integer =~ Data))

## S2-42 Default
assert(default =~ Default)
assert(!(undef =~ Default))

## S2-43 Deferred
assert(Deferred('f', [1]) =~ Deferred)

## S2-44 Enum
assert('a' =~ Enum['a', 'b'])
assert('A' =~ Enum['a', true])
assert(!('A' =~ Enum['a']))

## S2-45 Error
assert(Error('oops') =~ Error)
assert(Error('oops', 'my/kind') =~ Error['my/kind'])

## S2-46 Float
assert(1.5 =~ Float)
assert(1.5 =~ Float[1.0, 2.0])
assert(!(1 =~ Float))

## S2-47 Hash
assert({a => 1} =~ Hash[String, Integer])
assert(!({a => 'b'} =~ Hash[String, Integer]))

## S2-48 Init
assert('5' =~ Init[Integer])
assert(!([] =~ Init[Integer]))

## S2-49 Integer
assert(5 =~ Integer[5, 5])
assert(!(5.0 =~ Integer))
assert(Integer < Scalar and Integer < Data)

## S2-50 Iterable
assert([1] =~ Iterable[Integer])
assert('abc' =~ Iterable)
assert(3 =~ Iterable)
assert(!(1.5 =~ Iterable))

## S2-51 Iterator
assert([1, 2].reverse_each =~ Iterator[Integer])
assert(!([1, 2] =~ Iterator))

## S2-52 NotUndef
assert(1 =~ NotUndef)
assert(!(undef =~ NotUndef))

## S2-53 Numeric
assert(1 =~ Numeric and 1.5 =~ Numeric)
assert(!('1' =~ Numeric))

## S2-54 Object
type Car = Object[{attributes => {wheels => {type => Integer, value => 4}}}]
assert(Car() =~ Object)
assert(Car(3).wheels == 3)

## S2-55 Optional
assert(undef =~ Optional[String] and 'a' =~ Optional[String])
assert(!(1 =~ Optional[String]))

## S2-56 Pattern
assert('abc' =~ Pattern[/^a/, /^z/])
assert(!('bc' =~ Pattern[/^a/, /^z/]))

## S2-57 Regexp
assert(/a/ =~ Regexp)
assert(/a/ =~ Regexp['a'])

## S2-58 Resource
assert(File['/a'] =~ Type[Resource])
assert(Resource['file', '/a'] == File['/a'])

## S2-59 RichData
assert(Timestamp(0) =~ RichData)
assert([/a/, default, Sensitive(1)] =~ RichData)
assert(!([1].reverse_each =~ RichData))

## S2-60 Runtime
assert(Runtime['ruby', 'Symbol'] =~ Type[Runtime])
assert(!('a' =~ Runtime['ruby', 'Symbol']))

## S2-61 Scalar
assert(1 =~ Scalar and 'a' =~ Scalar and /a/ =~ Scalar and Timespan(1) =~ Scalar)
assert(!([] =~ Scalar))

## S2-62 ScalarData
assert(1 =~ ScalarData and 'a' =~ ScalarData and true =~ ScalarData)
assert(!(/a/ =~ ScalarData))

## S2-63 SemVer
assert(SemVer('1.2.3') =~ SemVer['>=1.0.0'])
assert(SemVer('1.2.3') < SemVer('1.10.0'))

## S2-64 SemVerRange
assert(SemVerRange('>=1.0.0') =~ SemVerRange)

## S2-65 Sensitive
assert(Sensitive('x') =~ Sensitive[String])
assert("${Sensitive('x')}" == 'Sensitive [value redacted]')

## S2-66 String
assert('abc' =~ String[1, 3])
assert(!('abcd' =~ String[1, 3]))

## S2-67 Struct
assert({mode => 'read', path => '/a'} =~ Struct[{mode => Enum[read, write], path => String[1]}])
assert(!({mode => 'eat', path => '/a'} =~ Struct[{mode => Enum[read, write], path => String[1]}]))
assert({} =~ Struct[{Optional[a] => Integer}])

## S2-68 Timespan
assert(Timespan('1-02:00:00') =~ Timespan)
assert(Timespan('01:00:00') == Timespan(3600))

## S2-69 Timestamp
assert(Timestamp('2020-01-01') =~ Timestamp)
assert(Timestamp('2020-01-01') < Timestamp('2021-01-01'))

## S2-70 Tuple
assert(['a', 1] =~ Tuple[String, Integer])
assert(['a', 1, 2] =~ Tuple[String, Integer, 1, 3])
assert(!([1, 'a'] =~ Tuple[String, Integer]))

## S2-71 Type
assert(Integer =~ Type[Integer])
assert(!(5 =~ Type))

## S2-72 TypeSet, also written Typeset
assert(TypeSet =~ Type)
assert(Typeset == TypeSet)

## S2-73 Undef
assert(undef =~ Undef)
assert(!('' =~ Undef))

## S2-74 URI
assert(URI('http://example.com/a') =~ URI)
assert(URI('http://example.com/a').host == 'example.com')

## S2-75 Variant
assert(1 =~ Variant[Integer, String] and 'a' =~ Variant[Integer, String])
assert(!(1.5 =~ Variant[Integer, String]))

## S2-76 the type of types is Type
assert([Integer, Integer[0, 800], String, Enum['running', 'stopped']].all |$type| { $type =~ Type })

## S2-77 Type takes one type, Any by default
assert(Type[Any] <= Type and Integer =~ Type[Any])
$x = Type[Integer, String] #! BAD_TYPE_SLICE_ARITY "Type"

## S2-78 the parameter of Type restricts it
assert(Integer[1, 5] =~ Type[Integer])
assert(!(Numeric =~ Type[Integer]))

## S2-79 Type matches types
assert([Integer, String, Any, Type].all |$type| { $type =~ Type })

## S2-80 Type[String] matches String and what is within
assert([String, String[3], Enum['running', 'stopped']].all |$type| { $type =~ Type[String] })
assert(!(Integer =~ Type[String]))

## S2-81 Type[Resource] matches references to resources
assert([File['/a'], User['root'], File].all |$type| { $type =~ Type[Resource] })
assert(!(String =~ Type[Resource]))
