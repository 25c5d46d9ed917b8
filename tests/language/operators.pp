# Operators, from the strongest to the weakest: B23 to B43.

## B23 parentheses group
assert((1 + 2) * 3 == 9)
assert(1 + 2 * 3 == 7)
assert(2 * (3 + (4 - 1)) == 12)

## B23 a parenthesis on a new line is no call
$a = 'abs'
($b) = [3] #! ILLEGAL_ASSIGNMENT

## B24 methods
assert([1, 2, 3].map |$x| { $x * 2 } == [2, 4, 6])
assert([1, 2].size == 2)
assert('a'.upcase.downcase == 'a')
assert((-3).abs == 3)
assert(1.type == Integer[1, 1])
$s = 'abc'
assert($s.length() == 3)

## B24 a method on the next line
$x = [3, 1, 2]
  .sort
  .map |$n| { $n + 1 }
assert($x == [2, 3, 4])

## B24 an unknown method is an error
$x = [1].nosuch #! UNKNOWN_FUNCTION "nosuch"

## B25 access to arrays
$a = [a, b, c, d, e]
assert($a[0] == 'a')
assert($a[-1] == 'e')
assert($a[1, 2] == [b, c])
assert($a[1, -2] == [b, c, d])
assert($a[9] == undef)
assert($a[3, 9] == [d, e])
assert($a[-2, 2] == [d, e])
assert($a[9, 1] == [])

## B25 an array is asked by integers
$x = [1, 2]['a'] #! NOT_NUMERIC

## B25 an array takes one or two numbers
$x = [1, 2][0, 1, 2] #! BAD_ARRAY_SLICE_ARITY

## B25 access to hashes
$h = { a => 1, b => 2, c => undef }
assert($h[a] == 1)
assert($h['z'] == undef)
assert($h[a, b] == [1, 2])
assert($h[a, z] == [1])
assert($h['c'] == undef)

## B25 access to strings
assert('abc'[1] == 'b')
assert('abc'[0, 2] == 'ab')

## B25 what has no parts cannot be asked
$x = true['a'] #! OPERATOR_NOT_APPLICABLE

## B25 undef cannot be asked
$u = undef
$x = $u['a'] #! OPERATOR_NOT_APPLICABLE

## B25 an integer is asked by its bits not at all
$i = 3
$x = $i[0] #! OPERATOR_NOT_APPLICABLE

## B25 parameters of resources
notify { 'm': message => 'hello', loglevel => 'info' }
assert(Notify['m']['message'] == 'hello')
assert(Notify['m']['loglevel', 'message'] == ['info', 'hello'])
assert(Notify['m']['withpath'] == undef)

## B25 a resource that is not there cannot be asked
$x = Notify['nosuch']['message'] #! UNKNOWN_RESOURCE

## B25 a parameter that a type does not have cannot be asked
notify { 'm': }
$x = Notify['m']['nosuch'] #! UNKNOWN_RESOURCE_PARAMETER

## B25 parameters of classes
class b25($p = 'v') { }
include b25
assert(Class['b25']['p'] == 'v')

## B26 a collector follows a type
@notify { 'v': }
Notify <| |>
#= Notify[v] {}

## B27 not
assert(!false)
assert(!undef)
assert(!!true)
assert(!'' == false)
assert(! 0 == false)

## B27 not binds more strongly than a comparison
assert(!true == false)

## B28 a star spreads an array
function b28($a, $b, $c = 0) { $a + $b + $c }
$args = [1, 2]
assert(b28(*$args) == 3)
assert(b28(*$args, 3) == 6)
assert([*$args, 3] == [1, 2, 3])
assert([0, *$args] == [0, 1, 2])
assert([*undef] == [])
assert([*{ a => 1 }] == [['a', 1]])

## B28 a star in a case option
$r = case 3 { *[3, 4]: { 'hit' } default: { 'miss' } }
assert($r == 'hit')

## B29 minus
$x = 5
assert(- 2 + 3 == 1)
assert(-$x == -5)
assert(-(2 + 3) == -5)
assert(-2.5 == 0 - 2.5)

## B29 there is no plus sign
$x = 8 * +4 #! SYNTAX_ERROR

## B29 minus wants a number
$x = -'abc' #! NOT_NUMERIC

## B30 in
assert('a' in 'ABC')
assert(1 in [1])
assert('A' in [a, b])
assert(k in { 'K' => 1 })
assert(/b/ in [abc])
assert(Integer in [a, 1])
assert(!(3 in [1, 2]))
assert(/b+/ in 'abbc')
assert(!('x' in undef))
assert('' in 'abc')

## B31 match
assert('abc' =~ /b/)
assert('abc' !~ /x/)
assert('abc' =~ 'b.')
assert(1 =~ Integer)
assert('a' !~ Integer)
assert(SemVer('1.2.3') =~ SemVerRange('>=1.0.0'))
assert([1] =~ Array[Integer])
'x12' =~ /(\w)(\d+)/
assert("$1-$2" == 'x-12')

## B31 a number does not match a pattern
$x = 1 =~ /1/ #! MATCH_NOT_STRING

## B31 what is no pattern does not match
$x = 'a' =~ 1 #! MATCH_NOT_REGEXP

## B31 a broken pattern does not match
$x = 'a' =~ '(' #! MATCH_NOT_REGEXP

## B31 a match that fails leaves the captures as they were
'abc' =~ /(b)/
'abc' =~ /(x)/
assert($1 == 'b')

## B32 integers divide toward negative infinity
assert(7 / 2 == 3)
assert(-7 / 2 == -4)
assert(7 / -2 == -4)
assert(-7 % 3 == 2)
assert(7 % -3 == -2)
assert(7.0 / 2 == 3.5)
assert(2 * 3.5 == 7.0)
assert(6 / 2.0 == 3)

## B32 division by zero
$x = 0
$y = 1 / $x #! DIV_BY_ZERO "Division by 0"

## B32 modulo zero
$y = 1 % 0 #! DIV_BY_ZERO

## B32 a quotient without bounds is an error
$y = 1.0 / 0 #! RESULT_IS_INFINITY

## B32 modulo is for integers
$y = 1.5 % 2 #! OPERATOR_NOT_APPLICABLE

## B33 numbers add
assert(1 + 2 == 3)
assert(1 - 2 == -1)
assert(1 + 0.5 == 1.5)
assert(0.1 + 0.2 != 0.3)

## B33 strings do not add
$x = 'a' + 'b' #! NOT_NUMERIC

## B33 strings of digits do not add
$x = '1' + 2 #! NUMERIC_COERCION

## B33 arrays join and lose
assert([1, 2] + 3 == [1, 2, 3])
assert([1, 2] + [3] == [1, 2, 3])
assert([1] + [[2]] == [1, [2]])
assert([1] + { a => 2 } == [1, ['a', 2]])
assert([1, 2, 3] - 2 == [1, 3])
assert([1, 2, 2, 3] - [2, 3] == [1])

## B33 hashes merge and lose
assert({ a => 1, b => 2 } + { b => 3 } == { a => 1, b => 3 })
assert({ a => 1 } + ['b', 2] == { a => 1, b => 2 })
assert({ a => 1 } + [['b', 2]] == { a => 1, b => 2 })
assert({ a => 1, b => 2 } - 'a' == { b => 2 })
assert({ a => 1, b => 2, c => 3 } - [a, b] == { c => 3 })
assert({ a => 1, b => 2 } - { a => 9 } == { b => 2 })

## B33 a number and an array do not add
$x = 1 + [2] #! NOT_NUMERIC

## B33 a Boolean does not add
$x = true + 1 #! NOT_NUMERIC

## B33 times add
assert(Timespan(60) + Timespan(5) == Timespan(65))
assert(Timestamp('2020-01-02T00:00:00 UTC') - Timestamp('2020-01-01T00:00:00 UTC') == Timespan({ days => 1 }))
assert(Timespan(60) * 2 == Timespan(120))
assert(Timespan(60) / Timespan(30) == 2.0)

## B33 versions do not add
$x = SemVer('1.0.0') + 1 #! OPERATOR_NOT_APPLICABLE

## B34 shifts
assert(1 << 4 == 16)
assert(256 >> 4 == 16)
assert(1 << -1 == 0)
assert([1] << 2 == [1, 2])
assert([1] << [2] == [1, [2]])

## B34 a float does not shift
$x = 1.5 << 1 #! OPERATOR_NOT_APPLICABLE

## B35 equality
assert('a' == 'A')
assert(['a'] == ['A'])
assert({ k => 'a' } == { k => 'A' })
assert({ 'a' => 1 } != { 'A' => 1 })
assert('é' != 'É')
assert(1 == 1.0)
assert(1 != '1')
assert(true != 1)
assert(undef != false)
assert([] != {})
assert(Integer == Integer)
assert(Integer[1, 2] == Integer[1, 2])
assert(/a/ == /a/)
assert(/a/ != /b/)

## B36 order
assert(1 < 2)
assert(2 >= 2.0)
assert('a' < 'B')
assert('B' > 'a')
assert('10' < '9')
assert(Integer < Numeric)
assert(Integer <= Integer)
assert(Numeric > Float)
assert(SemVer('1.10.0') > SemVer('1.9.0'))
assert(Timespan(1) < Timespan(2))

## B36 a string and a number have no order
$x = 'a' < 1 #! COMPARISON_NOT_POSSIBLE

## B36 arrays have no order
$x = [1] < [2] #! COMPARISON_NOT_POSSIBLE

## B36 Booleans have no order
$x = true < false #! COMPARISON_NOT_POSSIBLE

## B36 undef has no order
$x = undef < 1 #! COMPARISON_NOT_POSSIBLE

## B37 a selector binds more strongly than and
assert(true and 1 ? { 1 => true, default => false })

## B38 and stops at what is false
assert(true and 1)
assert(!(true and undef))
assert(!(false and fail('never')))
$x = 1 and 2
assert($x == true)

## B39 or stops at what is true
assert(false or true)
assert(true or fail('never'))
assert(!(undef or false))
assert(false or '')
assert((1 or 2) == true)

## B38 B39 and binds more strongly than or
assert(true or false and false)

## B40 at signs make resources virtual
@notify { 'v': }
#- Notify[v]

## B41 assignments go from right to left
$a = $b = 3
assert($a == 3)
assert($b == 3)

## B41 plus-equals is gone
$a += 1 #! APPENDS_DELETES_NO_LONGER_SUPPORTED

## B41 minus-equals is gone
$a -= 1 #! APPENDS_DELETES_NO_LONGER_SUPPORTED

## B42 arrows relate resources
notify { 'a': }
notify { 'b': }
notify { 'c': }
Notify['a'] -> Notify['b'] ~> Notify['c']
#= Notify[a] {"before": ["Notify[b]"]}
#= Notify[b] {"notify": ["Notify[c]"]}

## B42 arrows point to the left too
notify { 'a': }
notify { 'b': }
notify { 'c': }
Notify['a'] <- Notify['b'] <~ Notify['c']
#= Notify[b] {"before": ["Notify[a]"]}
#= Notify[c] {"notify": ["Notify[b]"]}

## B42 the value of a chain is its right side
$r = notify { 'a': } -> notify { 'b': }
assert($r == [Notify['b']])

## B42 a number relates to nothing
notify { 'a': }
Notify['a'] -> 1 #! ILLEGAL_RELATIONSHIP_OPERAND_TYPE

## B43 arrows of attributes bind least
notify { 'a': message => 1 + 2 * 3 }
#= Notify[a] {"message": 7}

## B30 B31 in is stronger than a match
assert(1 in [1] == true)

## B35 comparisons go from left to right
assert((1 == 1) == true)
assert(1 == 1 == true)

## B36 chains of comparisons compare Booleans
$x = 1 < 2 < 3 #! COMPARISON_NOT_POSSIBLE

## nothing divided by nothing is no number
assert(String(0.0 / 0.0) == 'NaN')
assert(0 / 0.0 != 0.0 / 0)
