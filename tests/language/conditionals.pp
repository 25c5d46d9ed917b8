# Conditions and matches: B31, B37, B49 to B52.

## B49 if, elsif, else
function kind($n) { if $n < 0 { 'negative' } elsif $n == 0 { 'zero' } else { 'positive' } }
assert(kind(-1) == 'negative')
assert(kind(0) == 'zero')
assert(kind(1) == 'positive')

## B49 only undef and false are false
$r = [undef, false, true, 0, '', [], {}, 'false', default].map |$v| { if $v { 't' } else { 'f' } }
assert($r == ['f', 'f', 't', 't', 't', 't', 't', 't', 't'])

## B49 without else the value is undef
$x = if false { 1 }
assert($x == undef)

## B49 blocks declare resources
if true { notify { 'yes': } } else { notify { 'no': } }
#= Notify[yes] {}
#- Notify[no]

## B49 an if wants braces
if true notify { 'a': } #! SYNTAX_ERROR

## B50 unless
$x = unless false { 'done' } else { 'not' }
assert($x == 'done')
$y = unless true { 'done' } else { 'not' }
assert($y == 'not')
$z = unless true { 'done' }
assert($z == undef)

## B50 unless has no elsif
unless true { } elsif true { } #! SYNTAX_ERROR

## B51 case takes the first that matches
$x = case 'b' { 'a': { 1 } 'b', 'c': { 2 } default: { 3 } }
assert($x == 2)

## B51 default may stand anywhere and comes last
$x = case 'b' { default: { 3 } 'b': { 2 } }
assert($x == 2)
$y = case 'z' { default: { 3 } 'b': { 2 } }
assert($y == 3)

## B51 without a match the value is undef
$x = case 'z' { 'b': { 2 } }
assert($x == undef)

## B51 one default
case 1 { default: { } default: { } } #! DUPLICATE_DEFAULT

## B51 options are compared without case
$x = case 'ABC' { 'abc': { 'hit' } default: { 'miss' } }
assert($x == 'hit')

## B51 options may be patterns, and capture
$x = case 'abc123' { /^([a-z]+)(\d+)$/: { "${1}-${2}" } default: { 'miss' } }
assert($x == 'abc-123')

## B51 options may be types
$kinds = [1, 'a', [1], { a => 1 }, 1.5, true, undef].map |$v| {
  case $v {
    Integer: { 'i' }
    String: { 's' }
    Array: { 'a' }
    Hash: { 'h' }
    Undef: { 'u' }
    Boolean: { 'b' }
    default: { 'd' }
  }
}
assert($kinds == ['i', 's', 'a', 'h', 'd', 'b', 'u'])

## B51 options may be arrays of patterns
$x = case ['a', 5] { ['b', Integer]: { 1 } [/a/, Integer]: { 2 } default: { 3 } }
assert($x == 2)

## B51 options may be hashes of patterns
$x = case { a => 1, b => 'x' } { { a => String }: { 1 } { a => Integer, b => /x/ }: { 2 } default: { 3 } }
assert($x == 2)

## B51 options may be spread
$list = ['x', 'y']
$x = case 'y' { *$list: { 'in' } default: { 'out' } }
assert($x == 'in')

## B51 a case on true takes conditions
$n = 5
$x = case true { ($n > 9): { 'great' } ($n > 3): { 'middle' } default: { 'small' } }
assert($x == 'middle')

## B52 selectors
$x = 'b' ? { 'a' => 1, 'b' => 2, default => 3 }
assert($x == 2)
assert(('z' ? { 'a' => 1, default => 3 }) == 3)

## B52 one entry without braces
$v = 'b'
$x = $v ? 'b' => 1
assert($x == 1)

## B52 no entry matches
$x = 'z' ? { 'a' => 1 } #! UNMATCHED_SELECTOR "z"

## B52 patterns, types, arrays and spread lists
$l = [10, 11]
$r = ['axb', 7, ['s', 1], 11, true].map |$v| {
  $v ? { /x/ => 'pattern', Integer[0, 9] => 'type', [String, Integer] => 'array', *$l => 'list', default => 'default' }
}
assert($r == ['pattern', 'type', 'array', 'list', 'default'])

## B52 captures in a selector
$x = 'web12' ? { /(\d+)/ => "number ${1}", default => 'none' }
assert($x == 'number 12')

## B52 one default in a selector
$x = 1 ? { default => 1, default => 2 } #! DUPLICATE_DEFAULT

## B52 default may come first
$x = 1 ? { default => 'd', 1 => 'one' }
assert($x == 'one')

## B52 selectors in values of attributes
notify { 'a': message => 'x' ? { 'x' => 'chosen', default => 'not' } }
#= Notify[a] {"message": "chosen"}

## B49 B31 captures live in the block
if 'abc' =~ /a(.)c/ { assert($1 == 'b') }
assert($1 == undef)

## B49 B31 inner blocks keep the outer captures
if 'abc' =~ /a(.)c/ {
  if 'xyz' =~ /x(.)z/ { assert($1 == 'y') }
  assert($1 == 'b')
  if 'nothing' =~ /(q)/ { fail('no') }
  assert($1 == 'b')
}

## B49 B31 captures of an elsif
if 'abc' =~ /(x)/ { fail('no') } elsif 'abc' =~ /(c)/ { assert($1 == 'c') }

## B49 B31 captures in lambdas
if 'abc' =~ /a(.)c/ { assert([1].map |$n| { $1 } == ['b']) }

## B31 S0-90 patterns are Ruby's
assert("a\nb" =~ /^b$/)
assert("a\nb" !~ /\Ab/)
assert('ab' =~ /(?<first>a)/)
assert('aaa' =~ /\A(?>a+)\z/)
assert("x\ny" =~ /x.y/ == false)
assert("x\ny" =~ /(?m:x.y)/)
assert('AB' =~ /(?ix: a b )/)
assert('é' =~ /[[:alpha:]]/)
