# Programs, statements, comments: B1 to B6. How to write a case: tests/support/language.py.

## B1 statements are separated by line breaks, blanks or semicolons
notice(1); notice(2)
notice(3) notice(4)
#> 1
#> 2
#> 3
#> 4

## B1 a semicolon may end the last statement
$x = 1;
assert($x == 1)

## B1 an empty program is a program
#- Notify[a]

## B2 the last expression is the value of a block
$r = if true { notice('first') 'second' }
assert($r == 'second')

## B2 an empty block has the value undef
$r = if true { }
assert($r == undef)

## B2 a block that is not taken has the value undef
$r = if false { 1 }
assert($r =~ Undef)

## B3 comments run to the end of the line
$x = 1 # and not 2
assert($x == 1) # "' ${

## B3 comments between marks may run over lines and stand inside expressions
/* one
   two */ $x = 1 /* plus */ + 1
assert($x == 2)

## B3 marks of comments do not nest
/* a /* b */ assert(true)

## B3 an open comment is an error
$x = 1
/* never closed #! UNCLOSED_MLCOMMENT

## B3 a hash sign in a string is no comment
assert("a # b" == 'a # b')

## B4 statement functions need no parentheses
#% warning "three"
notice 'one', 'two'
warning 'three'
#> one two

## B4 include without parentheses
class b4 { notify { 'in b4': } }
class b4b { }
include b4, b4b
#= Notify[in b4] {}

## B4 require, contain, tag and realize without parentheses
class b4 { }
class b4b { }
@notify { 'virtual': }
require b4
contain b4b
tag 'red', 'blue'
realize Notify['virtual']
#= Notify[virtual] {}

## B4 fail without parentheses
fail 'no', 'more' #! RUNTIME_ERROR "no more"

## B4 other functions need parentheses
md5 'a' #! IDEM_EXPRESSION_NOT_LAST

## B4 a call without parentheses is no value
$x = notice 'a' #! IDEM_EXPRESSION_NOT_LAST
$y = 1

## B4 import is gone
import 'x.pp' #! DISCONTINUED_IMPORT "import"

## B5 a value that nobody uses is an error
1 + 1 #! IDEM_EXPRESSION_NOT_LAST "never used"
notice(2)

## B5 a variable that nobody uses is an error
$x = 1
$x #! IDEM_EXPRESSION_NOT_LAST
notice(2)

## B5 a value may end a program
1 + 1
#- Notify[a]

## B5 a class may not end in a value
class b5 {
  notice(1)
  1 + 1 #! IDEM_NOT_ALLOWED_LAST "class"
}

## B5 a defined type may not end in a value
define b5() {
  'text' #! IDEM_NOT_ALLOWED_LAST
}

## B5 a node may not end in a value
node default {
  [1, 2] #! IDEM_NOT_ALLOWED_LAST
}

## B5 in a function only the last expression may be a value
function b5() {
  1 #! IDEM_EXPRESSION_NOT_LAST
  2
}

## B6 letters of all scripts stand in strings and comments
# ÆØÅ 日本語
$x = 'Grüße, 世界 🎭'
assert("${x}" == 'Grüße, 世界 🎭')
assert($x.length == 11)

## B6 a name is of ASCII letters
$é = 1 #! SYNTAX_ERROR

## B5 several mistakes are told together
$0 = 1 #! ILLEGAL_NUMERIC_ASSIGNMENT
$a += 1 #! APPENDS_DELETES_NO_LONGER_SUPPORTED
