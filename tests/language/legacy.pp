# Forms B106 to B113: what the grammar and the evaluator of Puppet 3.8 do otherwise.
#@ language "3.8"

## B106 conditions are statements, they have no value
$x = if true { 'a' } else { 'b' } #! SYNTAX_ERROR "unexpected 'if'"

## B106 a case has no value
$x = case 1 { default: { 'a' } } #! SYNTAX_ERROR "unexpected 'case'"

## B106 unless has no else
unless true { notice('a') } else { notice('b') } #! SYNTAX_ERROR "unexpected 'else'"

## B106 the conditions as statements
if '' { notice('if') } elsif 'a' { notice('elsif') }
unless '' { notice('unless') }
case 'B' { 'a', 'b': { notice('case') } }
#> elsif
#> unless
#> case

## B107 names may begin with a digit and hold dashes
class a-b { notice('a-b') }
define foo::bar-baz() { notice("baz ${title}") }
define 7zip() { notice("7zip ${title}") }
include a-b
foo::bar-baz { 'x': }
7zip { 'y': }
#> a-b
#> baz x
#> 7zip y

## B107 and so may references
define foo::bar-baz() { }
foo::bar-baz { 'x': }
notify { 'n': require => Foo::Bar-baz['x'] }
#= Notify[n] {"require": "Foo::Bar-baz[x]"}

## B108 numbers are text until they are used as numbers
$n = 010
notice("${n}", $n + 1, 0x10 == 16, "1.0" == 1)
file { '/a': mode => 0644 }
#> 010 9 true true
#= File[/a] {"mode": "0644"}

## B108 keys of hashes are names or quoted text
$h = { a => 1, 'b c' => 2, 3 => 'three' }
notice($h['a'], $h['b c'], $h['3'], $h[3])
#> 1 2 three three

## B108 a keyword is no key
$h = { true => 1 } #! SYNTAX_ERROR "unexpected 'true'"

## B108 only variables are indexed
$x = [1, 2][0] #! SYNTAX_ERROR "unexpected '['"

## B109 regular expressions stand where one is awaited
if 'abc' =~ /b(.)/ { notice($1) }
case 'abc' { /^a/: { notice('case') } }
$s = 'abc' ? { /c$/ => 'selector', default => 'none' }
notice($s)
#> c
#> case
#> selector

## B109 a regular expression is no value
$r = /a/ #! SYNTAX_ERROR "unexpected '/'"

## B109 the right side of a match is written out
$p = 'b'
$m = 'abc' =~ $p #! SYNTAX_ERROR

## B110 no calls of methods
$x = 'a'.upcase #! SYNTAX_ERROR

## B110 no lambdas
[1].each |$x| { notice($x) } #! SYNTAX_ERROR

## B110 no types before parameters
class c(String $x) { } #! SYNTAX_ERROR

## B110 no heredocs
$x = @(END) #! SYNTAX_ERROR
  text
  END

## B110 the value of an attribute may be a call or a selector
notify { 'n': message => md5('a') }
notify { 'm': message => 1 ? { 1 => 'one', default => 'other' } }
#= Notify[n] {"message": "0cc175b9c0f1b6a831c399e269772661"}
#= Notify[m] {"message": "one"}

## B111 import reads files beside the module's
import 'm/parts/*.pp' #% warning "deprecated"
include m::a
#@ file m/manifests/parts/a.pp | class m::a { notice('imported') }
#> imported

## B111 nodes inherit
node base { $x = 'base' notice('base') }
node child inherits base { notice("child ${x}") } #% warning "deprecated"
#@ node "child"
#% warning "hostname"
#> base
#> child base

## B111 appending makes a new variable here
$x = ['a']
class c { $x += ['b'] notice($x) }
include c
notice($x)
#> a b
#> a

## B111 a hash is changed in place
$h = { a => 1 }
$h[b] = 2 #% warning "deprecated"
notice($h['b'])
#> 2

## B111 resource defaults reach what is declared in their scope, before and after
class inner { notify { 'inner': } }
class outer { notify { 'first': } Notify { message => 'outer' } include inner }
include outer
#= Notify[inner] {"message": "outer"}
#= Notify[first] {"message": "outer"}

## B112 facts are text
notice($::count + 1, $::flag == 'false')
#@ facts {"count": 2, "flag": false}
#> 3 true

## B112 search adds namespaces
class a::b { notice('a::b') }
search('a') #% warning "deprecated"
include b
#> a::b

## B113 arrays stand in text without gaps, hashes as Ruby shows them, undef as nothing
$a = [1, 'b', [undef, true]]
$h = { 'k' => ['v', 1] }
notice("${a}", "${h}", "<${nothing}>")
#> 1bundeftrue {"k"=>["v", "1"]} <>
