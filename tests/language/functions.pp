# Functions, lambdas and what they are given: B53 to B58.

## B53 calls
assert(abs(-1) == 1)
assert(max(1, 2,) == 2)
assert([3].with |$x| { $x } == [3])
assert(Integer('3') == 3)
assert(Optional[Integer]('4') == 4)
assert(type(3) == Integer[3, 3])

## B53 a call of an unknown function
$x = nosuch(1) #! UNKNOWN_FUNCTION "nosuch"

## B53 too many arguments
$x = abs(1, 2) #! RUNTIME_ERROR "expects"

## B53 an argument of the wrong type
$x = abs([]) #! RUNTIME_ERROR

## B53 a conversion that fails
$x = Integer('abc') #! RUNTIME_ERROR

## B54 methods of statement functions
class b54 { notify { 'b54': } }
'b54'.include
['a', 'b'].notice
#= Notify[b54] {}
#> [a, b]

## B54 method calls chain with lambdas
$r = [1, 2, 3, 4].filter |$n| { $n % 2 == 0 }.map |$n| { $n * 10 }.reduce |$a, $b| { $a + $b }
assert($r == 60)

## B55 parameters of lambdas have types, defaults and a rest
assert([1].map |Integer $x| { $x + 1 } == [2])
assert(with(1) |$a, $b = 2| { $a + $b } == 3)
assert(with(1, 2, 3) |$a, *$rest| { $rest } == [2, 3])
assert(with(1) |$x| >> Integer { $x } == 1)

## B55 an argument of the wrong type for a lambda
$x = [a].map |Integer $x| { $x } #! RUNTIME_ERROR

## B55 the result of the wrong type from a lambda
$x = with(1) |$x| >> String { $x } #! RUNTIME_ERROR

## B55 a lambda is no value
$f = |$x| { $x } #! SYNTAX_ERROR

## B55 lambdas in lambdas
$r = { a => [1, 2], b => [3] }.map |$k, $v| { $v.map |$n| { "${k}${n}" } }
assert($r == [['a1', 'a2'], ['b3']])

## B56 functions
function b56::twice(Integer $x, Integer *$more) >> Array[Integer] { [$x, *$more].map |$n| { $n * 2 } }
assert(b56::twice(1) == [2])
assert(b56::twice(1, 2, 3) == [2, 4, 6])
assert(1.b56::twice(2) == [2, 4])

## B56 a function that is called before it is defined
assert(later() == 'x')
function later() { 'x' }

## B56 an argument of the wrong type
function b56(Integer $x) { $x }
$y = b56('a') #! RUNTIME_ERROR "parameter 'x' expects an Integer value, got String"

## B56 a result of the wrong type
function b56() >> Integer { 'a' }
$y = b56() #! RUNTIME_ERROR

## B56 too few arguments
function b56($a, $b) { $a }
$y = b56(1) #! RUNTIME_ERROR

## B56 functions stand at the top of a file
class k { function inner() { 1 } } #! NOT_ABSOLUTE_TOP_LEVEL

## B56 functions of modules are found by their names
#@ file mymod/functions/shout.pp | function mymod::shout(String $s) >> String { "${s.upcase}!" }
assert(mymod::shout('hey') == 'HEY!')
assert('you'.mymod::shout == 'YOU!')

## B56 functions call themselves
function factorial(Integer $n) { if $n < 2 { 1 } else { $n * factorial($n - 1) } }
assert(factorial(10) == 3628800)

## B56 functions declare resources
function b56($n) { notify { "made ${n}": } }
b56(1)
#= Notify[made 1] {}

## B57 defaults may use what stands before
function b57($a, $b = $a + 1, $c = $a + $b) { [$a, $b, $c] }
assert(b57(1) == [1, 2, 3])
assert(b57(1, 5) == [1, 5, 6])

## B57 defaults do not see what stands behind
function b57($a = $b, $b = 1) { $a }
$x = b57() #! RUNTIME_ERROR "$b"

## B57 the rest is an array, with a default
function b57($a, *$rest) { $rest }
assert(b57(1) == [])
assert(b57(1, 2) == [2])
function b57b(Integer *$rest) { $rest }
assert(b57b(1, 2) == [1, 2])

## B57 an Array is the type of all values of the rest, with their number
function b57c(Array[Integer] *$rest) { $rest }
assert(b57c(1, 2) == [1, 2])
assert(b57c() == [])
assert(with(1, [2]) |$a, Array[Array[Integer]] *$rest| { $rest } == [[2]])

## B57 each value of the rest is of the type inside the Array
function b57c(Array[Integer] *$rest) { $rest }
b57c([1]) #! RUNTIME_ERROR "parameter 'rest' expects an Integer value, got Array"

## B57 the size of the Array limits the number of values of the rest
function b57c(Array[Integer, 1, 2] *$rest) { $rest }
b57c(1, 2, 3) #! RUNTIME_ERROR "expects between 1 and 2 arguments, got 3"

## B57 the rest comes last
function b57(*$rest, $a) { 1 } #! REQUIRED_PARAMETER_AFTER_OPTIONAL
$x = b57(1, 2)

## B57 classes take no rest
class b57(*$rest) { } #! CAPTURES_REST_NOT_SUPPORTED

## B57 required parameters come first
function b57($a = 1, $b) { $b } #! REQUIRED_PARAMETER_AFTER_OPTIONAL
$x = b57(1, 2)

## B57 a parameter stands once
function b57($a, $a) { 1 } #! DUPLICATE_PARAMETER

## B58 return ends a function
function b58($x) { if $x > 1 { return('early') } 'late' }
assert(b58(2) == 'early')
assert(b58(1) == 'late')

## B58 return in a lambda ends the function around it
function b58($l) { $l.each |$x| { if $x > 1 { return($x) } } 'none' }
assert(b58([1, 2, 3]) == 2)
assert(b58([1]) == 'none')

## B58 next ends one turn
assert([1, 2, 3].map |$x| { if $x == 2 { next('two') } $x } == [1, 'two', 3])
assert([1, 2].map |$x| { next() } == [undef, undef])

## B58 break ends all turns
assert([1, 2, 3].map |$x| { if $x == 2 { break() } $x } == [1])

## B58 return ends a class
class b58 { notify { 'before': } if true { return() } notify { 'behind': } }
include b58
#= Notify[before] {}
#- Notify[behind]

## B58 return ends a defined type
define b58($stop) { if $stop { return() } notify { "on ${name}": } }
b58 { 'a': stop => true }
b58 { 'b': stop => false }
#- Notify[on a]
#= Notify[on b] {}

## B58 break where nothing turns
break() #! NO_CODE

## B58 return in a node is an error
node default {
  return() #! NO_CODE
}

## B58 next in a function ends it
function b58() { $x = if true { next('early') } 'late' }
assert(b58() == 'early')

## B58 next in a class ends it
class b58 { notify { 'a': } next() }
include b58
#= Notify[a] {}

## B58 return at top scope
return(1) #! NO_CODE

## B53 iteration functions
assert([1, 2, 3].reduce |$a, $b| { $a + $b } == 6)
assert([1, 2, 3].reduce(10) |$a, $b| { $a + $b } == 16)
assert([1, 2, 3].filter |$x| { $x > 1 } == [2, 3])
assert({ a => 1, b => 2 }.filter |$k, $v| { $v > 1 } == { b => 2 })
assert([1, 2, 3, 4].slice(2) == [[1, 2], [3, 4]])
assert([[1, 2], [3, 4]].map |$pair| { $pair[0] * $pair[1] } == [2, 12])
assert([a, b].map |$i, $v| { "${i}${v}" } == ['0a', '1b'])
assert(3.map |$x| { $x } == [0, 1, 2])
assert(Integer[2, 4].map |$x| { $x } == [2, 3, 4])
assert('abc'.map |$c| { $c.upcase } == ['A', 'B', 'C'])
assert([1, 2, 3].any |$x| { $x > 2 })
assert([1, 2, 3].all |$x| { $x > 0 })
assert([3, 1, 2].sort == [1, 2, 3])
assert([1, [2, [3]]].flatten == [1, 2, 3])
assert({ a => 1 }.keys == ['a'])
assert([1, 2, 3].reverse_each.map |$x| { $x } == [3, 2, 1])
assert([1, 2, 3, 4].step(2).map |$x| { $x } == [1, 3])
assert([1, 2, 3].index(2) == 1)
assert([1, 2, 3].group_by |$x| { $x % 2 } == { 1 => [1, 3], 0 => [2] })
assert([1, 2, 3].partition |$x| { $x > 1 } == [[2, 3], [1]])

## B53 then and lest
assert(1.then |$x| { $x + 1 } == 2)
assert(undef.then |$x| { 1 } == undef)
assert(undef.lest || { 3 } == 3)
assert(2.lest || { 3 } == 2)

## B53 dig, get and getvar
$h = { a => [{ b => 'deep' }] }
assert($h.dig('a', 0, 'b') == 'deep')
assert($h.get('a.0.b') == 'deep')
assert($h.get('a.9.b', 'none') == 'none')
assert(getvar('h.a.0.b') == 'deep')
assert(getvar('nosuch', 'none') == 'none')

## B53 functions on text
assert(split('a,b', ',') == ['a', 'b'])
assert(join(['a', 'b'], '-') == 'a-b')
assert(regsubst('abc', 'b', 'X') == 'aXc')
assert(regsubst('abab', 'b', '[\0]', 'G') == 'a[b]a[b]')
assert(sprintf('%05.1f|%-4s|%x', 3.14159, 'a', 255) == '003.1|a   |ff')
assert('a b'.match(/(\w) (\w)/) == ['a b', 'a', 'b'])
assert(' x '.strip == 'x')
assert('hello'.capitalize == 'Hello')
assert(versioncmp('1.10', '1.9') == 1)
assert(md5('a') == '0cc175b9c0f1b6a831c399e269772661')

## B53 assert_type
assert(assert_type(Integer, 3) == 3)
assert(assert_type(Integer, 'a') |$expected, $actual| { 'replaced' } == 'replaced')

## B53 assert_type fails
$x = assert_type(Integer, 'a') #! RUNTIME_ERROR

## B53 fail
fail('words') #! RUNTIME_ERROR "words"

## B53 call
assert(call('max', 1, 2) == 2)

## B53 logging functions
#% err "an error"
#% info "an info"
debug('a debug')
info('an info')
err('an error')

## the text of a Regexp type is no pattern to regsubst
assert(regsubst('a.b', Regexp['.'], '-') == 'a-b')
assert(regsubst('a.b', /./, '-') == '-.b')

## the value of return is not checked against the declared type
function plain(Integer $x) >> String { return $x }
function in_block(Integer $x) >> Tuple[String] { if $x > 0 { return([$x]) } ['no'] }
function in_lambda() >> String { [1, 2].each |$x| { return($x) } }
function in_expression($x) >> String { $y = $x or return(3) 'a' }
function undefined() >> NotUndef { return() }
function any_value() >> Any { return(4) }
function by_method($x) >> Integer { $x.return }
notice(plain(1), in_block(1), in_block(0), in_lambda(), in_expression(false), undefined() == undef)
notice(any_value() + 1, by_method('x'))
#> 1 [1] [no] 1 3 true
#> 5 x

## the value of next is checked against the declared type
function f(Integer $x) >> String { if $x > 0 { next($x) } 'a' }
notice(f(0))
notice(f(1)) #! RUNTIME_ERROR "value returned from function 'f' expects a String"

## the value of next in an expression is checked against the declared type
function f(Integer $x) >> String { $y = $x == 0 or next($x) 'a' }
notice(f(0))
notice(f(1)) #! RUNTIME_ERROR "value returned from function 'f' expects a String"

## return in a lambda is not checked against the lambda's type
function f() >> Array[Integer] { [1, 2].map |$x| >> Integer { if $x == 2 { return('b') } $x } }
notice(f())
#> b

## next in a lambda is checked against the lambda's type
[1].map |$x| >> Integer { next('b') } #! RUNTIME_ERROR "value returned from block"

## next as a method ends a lambda
notice([1, 2].map |$x| { $x.next 5 })
#> [1, 2]

## return in EPP is the value of the call
notice(inline_epp('a<% return(3) %>b') + 1, inline_epp('a<% return() %>b') == undef)
#> 4 true

## break in EPP ends the iteration around
[1, 2].each |$x| { notice($x) inline_epp('<% break() %>') }
notice('after')
#> 1
#> after
