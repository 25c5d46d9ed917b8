# Strings, as the reference text for 5.5 and later states them (seeds/4, statements S4-1 to S4-33 and S4-86 to S4-130).

## S4-1 strings may be of any length
assert(''.length == 0)
$numbers = [0] + Integer[1, 11].map |$n| { $n }
$long = $numbers.reduce('x') |$text, $i| { "${text}${text}" }
assert($long.length == 4096)

## S4-2 strings interpolate, escape, and are asked by number
$x = 'v'
assert("a${x}\tb" == "av\u0009b")
assert('abc'[1] == 'b')

## S4-3 four forms of one value
$heredoc = @(END)
  word
  |- END
assert(word == 'word')
assert('word' == "word")
assert("word" == $heredoc)

## S4-4 a bare word begins with a small letter
assert(abc == 'abc')
assert(aBC =~ String)

## S4-5 a bare word is of letters, digits, hyphens and underscores
assert(a-1_b == 'a-1_b')
assert(a9 == 'a9')

## S4-5 other characters end a bare word
$x = a.b #! UNKNOWN_FUNCTION

## S4-6 a reserved word is no bare word
$x = case; #! SYNTAX_ERROR

## S4-6 words reserved for later are no bare words
$x = attr #! RESERVED_WORD

## S4-7 bare words as values of attributes
notify { 'a': loglevel => info }
#= Notify[a] {"loglevel": "info"}

## S4-8 words with a capital letter are types
assert(String =~ Type)
assert(File['/a'] =~ Type[File])

## S4-8 words with a capital letter that name nothing are errors
$x = Nosuch #! UNKNOWN_RESOURCE_TYPE

## S4-9 bare words neither interpolate nor escape
assert(a_b == 'a_b')

## S4-9 a dollar ends a bare word
$c = 'c'
$x = ab $y = $c
assert($x == 'ab')

## S4-10 single quotes hold several words
assert('two words' =~ /^two words$/)

## S4-11 line breaks in single quotes stay
assert('one
two' == "one\ntwo")

## S4-12 single quotes do not interpolate
$x = 1
assert('$x ${x}' == "\$x \${x}")

## S4-13 an escaped backslash in single quotes
assert('a\\b'.length == 3)

## S4-14 an escaped quote in single quotes
assert('a\'b' == "a'b")

## S4-15 any other backslash in single quotes stays
assert('a\nb'.length == 4)
assert('\d' == "\\d")
assert('\"' == "\\\"")

## S4-16 four backslashes make two in single quotes
assert('\\\\'.length == 2)

## S4-17 a backslash at the end is doubled
$path = 'C:\Program Files(x86)\\'
assert($path == "C:\\Program Files(x86)\\")

## S4-18 every backslash may be doubled
assert('C:\\Program Files(x86)\\' == 'C:\Program Files(x86)\\')

## S4-19 double quotes hold text
assert("two words" == 'two words')

## S4-20 line breaks in double quotes stay
assert("one
two" == "one\ntwo")

## S4-21 breaks of Unix and of Windows
assert("\n" =~ /\A\x0a\z/)
assert("\r\n" =~ /\A\x0d\x0a\z/)

## S4-22 double quotes interpolate
$x = 'v'
assert("$x-${x}" == 'v-v')

## S4-23 escape of a backslash
assert("a\\b" == 'a\b')

## S4-24 escape n
assert("a\nb" =~ /\Aa\x0ab\z/)

## S4-25 escape r
assert("a\rb" =~ /\Aa\x0db\z/)

## S4-26 escape t
assert("a\tb" =~ /\Aa\x09b\z/)

## S4-27 escape s
assert("a\sb" == 'a b')

## S4-28 escape of a dollar
assert("\$x" == '$x')
assert("\${x}" == '${x}')

## S4-29 escape u with four digits
assert("\u00e9" == 'é')
assert("\u00e91" == 'é1')

## S4-30 escape u with braces
assert("\u{e9}" == 'é')
assert("\u{1F600}" == '😀')
assert("\u{41}" == 'A')

## S4-30 escape u without digits stays, with a warning
$x = "\uxyz" #% warning "\u"
assert($x == '\uxyz')

## S4-31 escape of a double quote
assert("a\"b" == 'a"b')

## S4-32 escape of a single quote
assert("a\'b" == 'a\'b')

## S4-33 any other escape stays, with a warning
$x = "\d" #% warning "\d"
assert($x == '\d')

## S4-33 a backslash before a line break removes both
assert("one\
two" == 'onetwo')

## S4-86 statements are no expressions
$x = "${include foo}" #! SYNTAX_ERROR

## S4-86 any other expression may be interpolated
$n = 3
assert("${$n + 1}" == '4')
assert("${[1, 2].map |$x| { $x + $n }}" == '[4, 5]')
assert("${if $n > 2 { 'many' } else { 'few' }}" == 'many')
assert("${case $n { 3: { 'three' } default: { 'x' } }}" == 'three')
assert("${n.abs}" == '3')

## S4-87 double quotes and heredocs interpolate
$n = 3
$h = @("END")
  n=${n} $n
  |- END
assert($h == 'n=3 3')
assert("n=${n}" == 'n=3')

## S4-88 braces hold an expression
assert("a ${ 'b' } c" == 'a b c')
assert("${
  1 +
  2
}" == '3')

## S4-89 a dollar needs no blank before it
$x = 'v'
assert("a$x" == 'av')
assert("$x" == 'v')
assert("$" == '$')
assert("a$ b" == 'a$ b')
assert("5$" == '5$')

## S4-90 quotes within braces
function hiera_port($key) { "<${key}>" }
assert("<VirtualHost *:${hiera_port("http_port")}>" == '<VirtualHost *:<http_port>>')

## S4-91 three ways not to interpolate
$x = 'v'
$h = @(END)
  ${x}
  |- END
assert($h == '${x}')
assert('${x}' == "\${x}")

## S4-92 the short form, qualified too
class s492 { $v = 'inner' }
include s492
$x = 'v'
assert("$x $s492::v $::x" == 'v inner v')

## S4-93 the short form ends where a name ends
$a = 'v'
assert("$a-b" == 'v-b')
assert("$a.y" == 'v.y')
assert("$a::" == 'v::')
assert("$a/$a" == 'v/v')
assert("$a: $a" == 'v: v')

## S4-94 a letter belongs to the name
$a = 'v'
$x = "$ab" #! UNKNOWN_VARIABLE "ab"

## S4-95 the form in braces
class s495 { $v = 'inner' }
include s495
$a = 'v'
assert("${a}b ${s495::v}c ${::a}" == 'vb innerc v')

## S4-96 calls and access behind a name in braces
$interfaces = 'lo,eth0,eth1,eth2'
$h = { 'k' => [10, 20] }
assert("${::interfaces.split(',')[3]}" == 'eth2')
assert("${interfaces.split(',')[1].upcase}" == 'ETH0')
assert("${h['k'][1]}" == '20')
assert("${h[k]}" == '[10, 20]')
assert("${interfaces[0, 2]}" == 'lo')

## S4-97 a keyword in braces is read as a variable
$inherits = 'parent'
assert("${$inherits.upcase}" == 'PARENT')
assert("${inherits.upcase}" == 'PARENT')

## S4-97 S4-99 undef in braces shows as nothing
assert("<${undef}>" == '<>')

## S4-97 a number in braces is a match
'abc' =~ /b/
assert("${0}" == 'b')
assert("${1}" == '')

## S4-98 strings show without quotes
assert("${'a b'}" == 'a b')

## S4-99 undef shows as nothing
$u = undef
assert("<${u}>" == '<>')

## S4-100 Booleans show as words
$t = true
assert("${t} ${!$t}" == 'true false')

## S4-101 numbers show as decimals
assert("${(0xFF)} ${(010)} ${(1.0)} ${(1e20)} ${(1e-7)}" == '255 8 1.0 1.0e+20 1.0e-07')

## S4-102 arrays show in brackets
assert("${[1, 'a', undef, true, [2]]}" == '[1, a, , true, [2]]')
assert("${[]}" == '[]')

## S4-103 hashes show in braces
assert("${({ a => 1, 'b' => [x], 3 => undef })}" == '{a => 1, b => [x], 3 => }')
assert("${({})}" == '{}')

## S4-104 regular expressions show as they are
$r = /a.b/
assert("${r}" == '/a.b/')
assert("${[$r]}" == '[/a.b/]')

## S4-105 types and references show as written
assert("${String[1, 2]}" == 'String[1, 2]')
assert("${File['/a']}" == "File['/a']")
assert("${Integer}" == 'Integer')

## S4-106 quoted strings go over lines
$x = 'a

b'
assert($x.split("\n") == ['a', '', 'b'])

## S4-107 line breaks are not converted
$x = "a\r\nb
c"
assert($x.length == 6)

## S4-108 a break of Windows in a file of Unix
$h = @(END/rn)
  a\r\nb
  |- END
assert($h == "a\r\nb")

## S4-109 a break of Unix by an escape
assert("a\nb" == 'a
b')

## S4-110 characters that do not print stay
assert("\u0000\u0001".length == 2)

## S4-112 pieces of strings
assert('abcdef'[2] == 'c')
assert('abcdef'[2, 3] == 'cde')

## S4-112 a string is asked by integers
$x = 'abc'['a'] #! BAD_STRING_SLICE_KEY_TYPE

## S4-112 a string takes one or two numbers
$x = 'abc'[0, 1, 2] #! BAD_STRING_SLICE_ARITY

## S4-113 the first number is the start
assert('abc'[0] == 'a')
assert('abc'[-1] == 'c')
assert('abc'[-3] == 'a')

## S4-114 the second number is a length, or the end counted from behind
assert('abcdef'[1, 3] == 'bcd')
assert('abcdef'[1, -1] == 'bcdef')
assert('abcdef'[1, 1] == 'b')

## S4-115 S4-116 S4-117 S4-118 S4-119 pieces, as the text has them
assert('abcdef'[0] == 'a')
assert('abcdef'[0, 2] == 'ab')
assert('abcdef'[1, 2] == 'bc')
assert('abcdef'[1, -2] == 'bcde')
assert('abcdef'[-3, 2] == 'de')

## S4-120 S4-121 S4-122 S4-123 S4-124 outside of a string is nothing
assert('abcdef'[10] == '')
assert('abcdef'[3, 10] == 'def')
assert('abcdef'[-10, 2] == '')
assert('abcdef'[-10, 6] == 'ab')

## S4-125 the type of strings
assert('a' =~ String)
assert('' =~ String)
assert(1 !~ String)

## S4-126 limits of the length are optional
assert('abc' =~ String[1])
assert('abc' =~ String[1, 3])
assert('abcd' !~ String[1, 3])

## S4-127 the least length counts characters
assert('é' =~ String[1, 1])
assert('ab' !~ String[3])
assert('' =~ String[default])
assert('' =~ String[default, 3])

## S4-128 the greatest length
assert('ab' !~ String[0, 1])
assert('abc' =~ String[0, default])

## S4-129 at least six characters
assert('abcdef' =~ String[6])
assert('abcde' !~ String[6])

## S4-130 six to eight characters
assert('abcdefgh' =~ String[6, 8])
assert('abcdefghi' !~ String[6, 8])
