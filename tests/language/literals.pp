# Literals and names: B7 to B22.

## B7 integers are decimal, hexadecimal or octal
assert(10 == 0xA)
assert(0x1F + 017 == 46)
assert(0 == 00)
assert(-0 == 0)
assert(0Xff == 255)

## B7 an octal digit is below eight
$x = 08 #! INVALID_OCTAL_NUMBER

## B7 a hexadecimal number has digits
$x = 0xG #! INVALID_HEX_NUMBER

## B7 a number runs into no letter
$x = 12ab #! ILLEGAL_NUMBER

## B7 integers have 64 bits
assert(9223372036854775807 > 0)
assert(-9223372036854775807 - 1 < 0)

## B7 a greater integer is an error
$x = 9223372036854775808 #! NUMERIC_OVERFLOW

## B7 a minus sign is no part of the number
$x = -9223372036854775808 #! NUMERIC_OVERFLOW

## B7 a sum beyond 64 bits is an error
$x = 9223372036854775807
$y = $x + 1 #! NUMERIC_OVERFLOW

## B8 floats have a point or an exponent
assert(1.5 + 1.5 == 3)
assert(1e3 == 1000)
assert(1.2e-3 == 0.0012)
assert(1E2 == 100.0)
assert(type(1e3) == Float[1000.0, 1000.0])

## B8 a float has digits on both sides of its point
$x = .5 #! SYNTAX_ERROR

## B8 floats print as Ruby prints them
assert("${(1.0)}" == '1.0')
assert("${(1e20)}" == '1.0e+20')
assert("${(1e-7)}" == '1.0e-07')
assert("${(1e15)}" == '1.0e+15')
assert("${(123456.5)}" == '123456.5')
assert("${(0.1)}" == '0.1')

## B9 true and false are Booleans
assert(true)
assert(!false)
assert(type(true) == Boolean[true])
assert('true' != true)

## B9 undef is a value of its own
assert(undef == undef)
assert(undef != false)
assert(undef != '')
assert(undef =~ Undef)

## B9 default is a value of its own
$x = default
assert($x =~ Default)
assert($x == default)
assert("${x}" == 'default')

## B10 a bare word is a string
assert(running == 'running')
assert(r-u_n2 == 'r-u_n2')
assert(a::b == 'a::b')
assert(::a::b == '::a::b')
assert(a-b-c == 'a-b-c')
$x = [present, absent]
assert($x[1] == 'absent')

## B10 S4-4 a bare word may begin with an underscore
assert(_abc == '_abc')

## B10 a bare word does not end in a hyphen
$x = abc-; #! SYNTAX_ERROR


## B10 words of other languages are bare words
assert(application == 'application')
assert(site == 'site')
assert(plan == 'plan')
assert(apply == 'apply')
assert(produces == 'produces')

## B11 single quotes keep all but two escapes
assert('it\'s' == "it's")
assert('a\\b' == "a\\b")
assert('a\nb' == "a\\nb")
assert('$x ${y}' == "\$x \${y}")

## B12 double quotes have escapes
assert("a\tb" != 'a\tb')
assert("\\" == '\\')
assert("\u0041\u{42}\u{1F3AD}" == 'AB🎭')
assert("a\
b" == 'ab')
assert("\s" == ' ')
assert("\"" == '"')
assert("\'" == '\'')

## B12 an unknown escape stays as it is, with a warning
$x = "a\qb" #% warning "escape"
assert($x == 'a\qb')

## B12 an open string is an error
$x = "abc #! UNCLOSED_QUOTE

## B12 an open string in single quotes is an error
$x = 'abc #! UNCLOSED_QUOTE

## B13 variables in strings
$x = 'v'
$h = { 'k' => ['zero', 'one'] }
assert("$x" == 'v')
assert("${x}" == 'v')
assert("a${x}b" == 'avb')
assert("${h['k'][1].upcase}" == 'ONE')
assert("${$x}" == 'v')
assert("${1 + 2}" == '3')
assert("$x.upcase" == 'v.upcase')
assert("$x[0]" == 'v[0]')

## B13 a keyword in braces is a variable
$inherits = 'parent'
assert("${inherits}" == 'parent')

## B13 an unknown variable in a string is an error
$x = "a ${nosuch}" #! UNKNOWN_VARIABLE "nosuch"

## B13 strings within strings
$h = { 'a' => 'b' }
assert("x${h["a"]}y" == 'xby')
assert("${"${'in'}ner"}" == 'inner')

## B13 blocks and lambdas in strings
assert("${[1, 2].map |$x| { $x * 2 }}" == '[2, 4]')
assert("${if true { 'yes' }}" == 'yes')

## B13 an empty expression is an error
$x = "${}" #! SYNTAX_ERROR

## B14 a heredoc begins on the next line
$x = @(END)
  text "quoted" $here
  | END
assert($x == "text \"quoted\" \$here\n")

## B14 several heredocs on a line
$x = [@(A), @("B"/L)]
  one
  | A
  t\
  wo ${1 + 1}
  |- B
assert($x == ["one\n", 'two 2'])

## B14 JSON in a heredoc is looked at
$x = @(END:json)
  { "a": } #! ILLEGAL_JSON
  | END

## B15 regular expressions
assert('abc' =~ /^a.*c$/)
assert('a/b' =~ /a\/b/)
assert('ABC' =~ /(?i:abc)/)
$r = /x+/
assert('axxb' =~ $r)
assert(type($r) == Regexp['x+'])

## B15 a slash after a value divides
$a = 8
assert($a / 2 == 4)
assert((8) / 2 == 4)

## B16 arrays
assert([1, 'a', [2],][2][0] == 2)
assert([] == [ ])
$x = [
  1,
  2,
]
assert($x.length == 2)

## B16 a bracket after a blank begins an array
$x = 'a'
notice $x [1]
#> a

## B17 hashes
$h = { a => 1, 'b c' => 2, 3 => three, [1] => { x => y }, }
assert($h['a'] == 1)
assert($h['b c'] == 2)
assert($h[3] == 'three')
assert($h['3'] == undef)
assert($h[[1]]['x'] == 'y')
assert({} == { })

## B17 keys may be any expression
$k = 'key'
assert({ $k => 1, "${k}2" => 2 }['key2'] == 2)
assert({ 1.0 => a, true => b, undef => c }[true] == 'b')

## B17 keys keep their kind
assert({ 1 => a, 1.0 => b, '1' => c }.length == 3)

## B17 a key that stands twice is an error
$h = { a => 1, 'a' => 2 } #! DUPLICATE_KEY

## B18 entries without braces gather in a hash
assert([1, a => 2, b => 3] == [1, { 'a' => 2, 'b' => 3 }])
function b18($x, $h) { $h['k'] }
assert(b18(1, k => 2, l => 3) == 2)

## B19 type and function may be items
assert([type, function] == ['type', 'function'])

## B20 names of types
assert(Integer == Integer)
assert(Integer != Float)
assert(::Integer == Integer)
assert(Integer =~ Type)

## B20 each segment of a name begins with a capital letter
$x = My::type #! ILLEGAL_CLASS_REFERENCE

## B20 an unknown type is an error
$x = 'a' =~ Nosuch::Type #! UNKNOWN_RESOURCE_TYPE

## B20 an unknown type with parameters is an error
$x = Nosuchtype['a'] #! UNKNOWN_RESOURCE_TYPE

## B21 types with parameters
assert(5 =~ Integer[1, 10])
assert(11 !~ Integer[1, 10])
assert(String(File['/a']) == "File['/a']")
assert([1, 'a'] =~ Tuple[Integer, String])

## B21 a bracket after a blank is no parameter
$x = Integer [1] #! IDEM_EXPRESSION_NOT_LAST
assert($x == Integer)

## B22 names of variables
$x = 1
$_x = 2
$x1_y = 3
assert($x + $_x + $x1_y == 6)
assert($::x == 1)

## B22 names of variables do not begin with a capital letter
$X = 1 #! ILLEGAL_VAR_NAME

## B22 numbers of matches
'abc' =~ /(b)(c)/
assert($0 == 'bc')
assert($1 == 'b')
assert($2 == 'c')
assert($3 == undef)

## B22 numbers of matches have no leading zero
$x = $01 #! ILLEGAL_NUMERIC_VAR_NAME

## B22 an underscore does not begin the name behind a namespace
notice($::_x) #! UNKNOWN_VARIABLE
