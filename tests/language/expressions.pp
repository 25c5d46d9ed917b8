# Rules of expressions: unfolding, keys of an access, several variables at once, match variables, break, times.

## an unfolded array in parentheses is unfolded
assert([1, 2, (*[4, 5]), ((*{ a => 1 })), (*undef)] == [1, 2, 4, 5, ['a', 1]])
assert(max((*[1, 2]), 3) == 3)
assert([1, 2, 3][(*[1, 2])] == [2, 3])
assert((*['x%iy', 10]).sprintf == 'x10y')
case 'r' { (*['p', 'r']): { notice('case') } default: { notice('none') } }
notice('r' ? { (*['p', 'r']) => 'selector', default => 'none' })
#> case
#> selector

## an unfolded receiver is several arguments
(*[1, 2]).each |$x| { } #! RUNTIME_ERROR

## arrays among the keys of an access are opened
assert('abcd'[[1, 2]] == 'bc')
assert('abcd'[1, [2]] == 'bc')
assert([1, 2, 3, 4][[1, 2]] == [2, 3])
assert([1, 2, 3, 4][[[1]], 2] == [2, 3])
assert(Binary('YWJjZA==')[[1, 2]] == Binary('YmM='))
assert([[1, 2], [3, 4]][[1]][[0]] == 3)
assert({ [1] => 2 }[[1]] == 2)
assert("${Runtime[['ruby', 'String']]}" == "Runtime[ruby, 'String']")

## an access with an empty array of keys
$x = [1, 2][[]] #! BAD_ARRAY_SLICE_ARITY

## one value is assigned to one variable
[$a] = 1
[$b] = undef
[$c] = Integer
[$d, [$e, [$f]]] = [1, [2, 3]]
assert([$a, $b, $c, $d, $e, $f] == [1, undef, Integer, 1, 2, 3])

## a hash is assigned to arrays of variables by arrays of keys
[$a, [$b, $c], [$d]] = { a => 1, [b, c] => { b => 2, c => 3 }, [d] => 4 }
assert($a + $b + $c + $d == 10)

## one value is not assigned to several variables
[$a, $b] = 1 #! ILLEGAL_MULTI_ASSIGNMENT_SIZE

## one value is not assigned to several variables within an array
[$a, [$b, $c]] = [1, 2] #! ILLEGAL_MULTI_ASSIGNMENT_SIZE

## a hash without a key for an array of variables
[$a, [$b, $c]] = { a => 1, b => 2, c => 3 } #! MISSING_MULTI_ASSIGNMENT_KEY "b, c"

## a class that is not there is not assigned
[$a] = Class['c'] #! UNKNOWN_RESOURCE

## a class without a variable
class c { $a = 1 }
include c
[$a, [$b]] = Class['c'] #! MISSING_MULTI_ASSIGNMENT_VARIABLE

## match variables of a default stay in it
function f($a = ['hello' =~ /(h)(.*)/, $1], $b = $0) { "${a[1]}|${b}|${0}" }
assert(f() == 'h||')
assert(with() |$a = ['hello' =~ /(h)(.*)/, $1], $b = $0| { "${a[1]}|${b}|${0}" } == 'h||')
$m = 'foo' =~ /(f)oo/
assert(with() |$a = $1, $b = ['bar' =~ /b(.)/, $1], $c = $1| { "${a}${b[1]}${c}${1}" } == 'faff')

## break ends the iteration through functions
function f($x) { if $x == 2 { break() } else { $x * 10 } }
function g() { [1, 2, 3].map |$x| { f($x) } }
assert(g() == [10])
assert([1, 2, 3].filter |$x| { f($x) } == [1])

## break ends the iteration through classes
class c {
  notify { 'a': }
  if true { break() }
  notify { 'b': }
}
[1, 2].each |$x| { include c }
#= Notify[a] {}
#- Notify[b]

## break in a function outside of iterations
function f() {
  break() #! NO_CODE
}
f()

## break in a define is an error where it stands
define d {
  break() #! RUNTIME_ERROR
}
[1].each |$x| { d { 'a': } }

## dig ends at undef
assert(['a'].dig(undef) == undef)
assert([['a']].dig(undef, 0) == undef)
assert({ undef => 3 }.dig(undef) == undef)

## what is deferred in a secret is done
function f($x) { "${x.unwrap} ${type($x)}" }
assert(Deferred('f', [Sensitive(Deferred('join', [['a', 'b'], '-']))]).call() == 'a-b Sensitive[String]')
function g($x) { $x[0].unwrap }
assert(Deferred('g', [[Sensitive([Deferred('upcase', ['b'])])]]).call() == ['B'])

## times compare with floats as floats
$t = Timestamp('2015-06-01T00:00:00.123456789 UTC')
assert($t <= 1433116800.123456789)
assert($t >= 1433116800.123456789)
assert(1433116800.123456789 >= $t)
assert($t == 1433116800.123456789)

## times compare with integers by whole seconds
$t = Timestamp('2015-06-01T00:00:00.523456789 UTC')
assert($t <= 1433116800 and $t == 1433116800 and !($t > 1433116800))
assert(1433116800 < $t and 1433116800 == $t)
assert(compare($t, 1433116800) == 0)
assert(Timespan(-1.5) == -2 and Timespan(1.5) <= 1 and !(1 >= Timespan(1.5)))

## numbers of any kind are in bytes
assert(101.0 in Binary('ZQ=='))
assert(101 in Binary('ZQ=='))
assert(!(101.5 in Binary('ZQ==')))
assert(!(256 in Binary('ZQ==')))

## the index that is wrong is the one to blame
[1, 2][1, 0.0] #! BAD_SLICE_KEY_TYPE

## the attribute that is not there is an error of the resource
notify { 'id': }
notice(Notify['id']['nope']) #! UNKNOWN_RESOURCE_PARAMETER

## the types of Hiera's keys and values
assert('a' =~ Puppet::LookupKey and 1 =~ Puppet::LookupKey and !([] =~ Puppet::LookupKey))
assert([undef, 1, { a => Integer }] =~ Puppet::LookupValue)
function lookup_key(Puppet::LookupKey $key, Hash $options, Any $context) >> Puppet::LookupValue { $key }
assert(lookup_key('k', { }, undef) == 'k')
notice(Puppet::LookupKey, Puppet::LookupValue)
#> Puppet::LookupKey Puppet::LookupValue

## a context of Hiera's functions keeps values
$c = Puppet::LookupContext.new('m')
assert($c =~ Puppet::LookupContext and $c.module_name == 'm')
assert($c.cache('k', 'v') == 'v')
assert($c.cached_value('k') == 'v' and $c.cached_value('z') == undef)
assert($c.cache_all({ 'a' => 1 }) == undef)
assert($c.cache_has_key('a') and !$c.cache_has_key('z'))
$c.cached_entries |$key, $value| { notice("${key}=${value}") }
assert($c.interpolate('plain') == 'plain')
notice($c.environment_name)
#> k=v
#> a=1
#> production

## a context without a lookup
Puppet::LookupContext.new(undef).not_found #! RUNTIME_ERROR

## a context needs the name of a module
Puppet::LookupContext.new(1) #! RUNTIME_ERROR

## the methods of a context count their arguments
Puppet::LookupContext.new('m').cache('a') #! RUNTIME_ERROR

## the methods of a context take scalars as keys
Puppet::LookupContext.new('m').cache({ }, 'a') #! RUNTIME_ERROR

## a context keeps the values of a hash
Puppet::LookupContext.new('m').cache_all('a') #! RUNTIME_ERROR
