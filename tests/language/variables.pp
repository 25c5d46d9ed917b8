# Assignment and scope: B44 to B48, B66, B72.

## B44 a variable is assigned once
$x = 1
$x = 2 #! ILLEGAL_REASSIGNMENT "x"

## B44 in another scope the name is free
$x = 1
class b44 { $x = 2 notify { "in ${x}": } }
include b44
$r = [3].map |$x| { $x }
assert($x == 1)
assert($r == [3])
#= Notify[in 2] {}

## B44 a qualified name is not assigned
$a::b = 1 #! CROSS_SCOPE_ASSIGNMENT

## B44 a number is not assigned
$1 = 'x' #! ILLEGAL_NUMERIC_ASSIGNMENT

## B44 trusted is not assigned
class b44 { $trusted = 1 } #! ILLEGAL_RESERVED_ASSIGNMENT
include b44

## B44 facts is not assigned
$facts = 1 #! ILLEGAL_RESERVED_ASSIGNMENT

## B44 members of hashes are not assigned
$h = {}
$h['a'] = 1 #! ILLEGAL_INDEXED_ASSIGNMENT

## B44 a word is not assigned
abc = 1 #! ILLEGAL_ASSIGNMENT

## B45 arrays are taken apart
[$a, [$b, $c]] = [1, [2, 3]]
assert([$a, $b, $c] == [1, 2, 3])

## B45 the sizes must agree
[$a, $b] = [1] #! ILLEGAL_MULTI_ASSIGNMENT_SIZE

## B46 hashes are taken apart
[$a, $b] = { a => 1, b => 2, c => 3 }
assert($a + $b == 3)

## B46 the keys must be there
[$a, $z] = { a => 1 } #! MISSING_MULTI_ASSIGNMENT_KEY "z"

## B47 classes are taken apart
class b47($p = 'given') { $inner = 'set' }
include b47
[$p, $inner] = Class['b47']
assert($p == 'given')
assert($inner == 'set')

## B47 the variables must be there
class b47 { }
include b47
[$nosuch] = Class['b47'] #! MISSING_MULTI_ASSIGNMENT_VARIABLE

## B48 an assignment has a value
notice($x = 5)
assert($x == 5)
$y = [$z = 1, 2]
assert($z == 1)
#> 5

## B48 defaults of parameters do not assign
class b48($p = ($q = 1)) { } #! ILLEGAL_ASSIGNMENT_CONTEXT

## B48 a condition may assign, in parentheses
if ($x = 5) { assert($x == 5) }

## B72 an unknown variable is an error
notice($nosuch) #! UNKNOWN_VARIABLE "nosuch"

## B72 without strict_variables an unknown variable is undef
#@ settings {"strict_variables": false, "strict": "off"}
assert($nosuch == undef)

## B72 classes see top scope, not who includes them
$top = 'top'
class outer { $x = 'outer' include inner }
class inner { assert($top == 'top') notice($x) } #! UNKNOWN_VARIABLE
include outer

## B72 classes see the node's variables
$x = 'top'
node default { $x = 'node' include b72 }
class b72 { notify { $x: } }
#= Notify[node] {}

## B72 variables of other classes by their qualified names
class a::b { $v = 1 }
include a::b
assert($a::b::v == 1)
assert($::a::b::v == 1)

## B72 variables of a class that is not evaluated
class a::b { $v = 1 }
notice($a::b::v) #! UNKNOWN_VARIABLE

## B72 facts are variables of top scope
#@ facts {"os": {"family": "Debian"}, "kernel": "Linux"}
assert($facts['os']['family'] == 'Debian')
assert($kernel == 'Linux')
assert($::os['family'] == 'Debian')

## B72 settings have a namespace
assert($settings::strict == error)
assert($settings::environment =~ String)

## B72 trusted data
assert($trusted['certname'] == 'testnode.example.com')
assert($trusted['hostname'] == 'testnode')
assert($trusted['domain'] == 'example.com')

## B72 facts of the server
#@ server_facts {"serverversion": "8.0.0"}
assert($server_facts['serverversion'] == '8.0.0')
assert($environment == 'production')

## B72 the module's name
#@ file b72/manifests/init.pp | class b72 { notify { "in ${module_name}": } b72::d { 'x': } }
#@ file b72/manifests/d.pp | define b72::d { notify { "${module_name} from ${caller_module_name}": } }
include b72
assert($module_name == '')
#= Notify[in b72] {}
#= Notify[b72 from b72] {}

## B66 definitions within classes are qualified
class outer {
  class inner { notify { 'in inner': } }
  define thing { notify { "thing ${name}": } }
}
include outer::inner
outer::thing { 'x': }
#= Notify[in inner] {}
#= Notify[thing x] {}

## B72 variables of a block stay
if true { $inside = 1 }
assert($inside == 1)

## B72 variables of a lambda go
[1].each |$n| { $inside = $n }
notice($inside) #! UNKNOWN_VARIABLE

## B72 lambdas see what surrounds them
$factor = 3
assert([1, 2].map |$n| { $n * $factor } == [3, 6])
$factor2 = [1].map |$n| { [2].map |$m| { "${n}${m}${factor}" } }
assert($factor2 == [['123']])

## B72 functions do not see local variables
class k { $local = 1 notice(f72()) }
function f72() { $local } #! UNKNOWN_VARIABLE
include k

## B72 functions see top scope
$top = 't'
function f72() { $top }
class k { notify { f72(): } }
include k
#= Notify[t] {}

## caller_module_name is empty when the caller is in no module, and unset at top
#@ file m/manifests/init.pp | class m($p = $caller_module_name) { notice("[${caller_module_name}]", $p =~ String) include m::b m::d { y: } }
#@ file m/manifests/b.pp | class m::b { notice($caller_module_name) }
#@ file m/manifests/d.pp | define m::d { notice("[${caller_module_name}]", $caller_module_name =~ Undef) }
define local() { notice("[${caller_module_name}]", $caller_module_name =~ String) }
notice($caller_module_name =~ Undef)
include m
m::d { 'x': }
local { 'z': }
notice($m::caller_module_name =~ String)
node default { notice($caller_module_name =~ String) }
#> true
#> [] true
#> m
#> true
#> true
#> [m] false
#> [] false
#> [] true

## module_name of another namespace is unknown unless it has a class
notice($nosuch::module_name) #! UNKNOWN_VARIABLE "nosuch::module_name"

## a qualified caller_module_name is no built-in variable
notice($::caller_module_name) #! UNKNOWN_VARIABLE "caller_module_name"

## a node definition has its name as title
node 'testnode.example.com' {
  notice("${title} ${name} ${module_name} ${getvar('title')} ${defined('$title')} ${$::title}")
  notice(inline_template('<%= @title %> <%= scope["name"] %>'))
  notice(inline_epp('<%= $title %>'))
}
#> testnode.example.com testnode.example.com  testnode.example.com true main
#> testnode.example.com testnode.example.com
#> testnode.example.com

## a node definition with a pattern has the name of the pattern as title
node /^other/ { }
node /^test(node)/ { notice($title, $name) }
#> __node_regexp__testnode __node_regexp__testnode

## the default node is titled default
node default { notice($title, $name) }
#> default default

## the title of a node is not assigned
node default {
  $title = 1 #! ILLEGAL_REASSIGNMENT
}

## the module name of a node is not assigned
node default {
  $module_name = 'm' #! ILLEGAL_REASSIGNMENT
}

## a class reads the variables of the node that includes it
#@ settings {"strict_variables": false, "strict": "off"}
class inside { notice("inside ${x}") include deeper }
class deeper { notice("deeper ${x}") }
class outside { notice("outside ${x}") }
include outside
node default { $x = 1 include inside include outside }
#>> "outside "
#> inside 1
#> deeper 1

## a defined type reads the variables of the node that declares it
#@ settings {"strict_variables": false, "strict": "off"}
define d { notice("${title} ${x}") }
d { 'outside': }
@d { 'virtual': }
node default { $x = 1 d { 'inside': } realize D['virtual'] }
#>> "outside "
#>> "virtual "
#> inside 1

## an EPP file reads the variables of the node
#@ file m/templates/t.epp | <%= $x %> <%= $title %>
$x = 'top'
class c { $x = 'class' notice(epp('m/t.epp').strip) }
class before { $x = 'class' notice(epp('m/t.epp').strip) }
include before
node default { $x = 'node' notice(epp('m/t.epp').strip) include c }
#> top main
#> node default
#> node default

## no class leads to the variables of a node
node default {
  $x = 1
  notice($default::x) #! UNKNOWN_VARIABLE
}

## match variables of a node end with its code
node /(t)est/ { include c d { 'x': } }
class c { notice($1) }
define d { notice("d${1}") }
#> t
#> d

## the variables of modules always exist
class c { notice(defined('$module_name'), defined('$::caller_module_name')) }
notice(defined('$caller_module_name'))
include c
#> true
#> true true

## a template sees the outermost variables first
class c($p = 1) { [2].each |$x| { notice(inline_template('<%= scope.to_hash.keys.last(5).join(" ") %>')) } }
include c
#> title name caller_module_name p x

## all settings are a hash
notice($settings::all_local['environment'], $settings::all_local['nope'])
#> production 
notice($settings::all_local.filter |$name, $value| { getvar("settings::${name}") != $value })
#> {}
function f() { $::settings::all_local['certname'] == $settings::certname }
notice(f())
#> true
