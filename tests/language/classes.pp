# Classes, defined types, nodes: B65 to B72, B85, B95, B96, B100, B101.

## B65 parameters have defaults that may use others
class k(Integer $a = 1, Integer $b = $a + 1) { notify { "${a} ${b}": } }
include k
#= Notify[1 2] {}

## B65 a class without a value for a parameter
class k($a) { }
include k #! RUNTIME_ERROR "expects a value for parameter"

## B65 a class takes what it declares
class k { }
class { 'k': nosuch => 1 } #! RUNTIME_ERROR "nosuch"

## B65 a class is defined once
class k { }
class k { } #! NO_CODE "k"

## B65 undef takes the default
class k($a = 'default') { notify { $a: } }
class { 'k': a => undef }
#= Notify[default] {}

## B67 defined types
define d($greeting = 'hello') { notify { "${title} ${name} ${greeting}": } }
d { 'one': }
d { 'two': greeting => 'bye' }
#= D[one] {"greeting": "hello"}
#= Notify[one one hello] {}
#= Notify[two two bye] {}

## B67 defined types see metaparameters
define d { notify { "noop is ${noop}": } }
d { 'x': noop => true }
#= Notify[noop is true] {"noop": true}

## B67 a defined type without a value
define d($a) { }
d { 'x': } #! RUNTIME_ERROR "expects a value for parameter"

## B67 a defined type takes what it declares
define d { }
d { 'x': nosuch => 1 } #! RUNTIME_ERROR "nosuch"

## B68 the parent comes first, and is seen
class base { $v = 'from base' notify { 'in base': } }
class derived inherits base { notify { "saw ${v}": } }
include derived
#= Notify[in base] {}
#= Notify[saw from base] {}

## B68 a class overrides resources of its parent
class base { notify { 'n': message => 'old', loglevel => 'info' } }
class derived inherits base { Notify['n'] { message => 'new', loglevel => undef } }
include derived
#= Notify[n] {"message": "new"}

## B68 a class adds to resources of its parent
class base { notify { 'a': } notify { 'b': } notify { 'n': require => Notify['a'] } }
class derived inherits base { Notify['n'] { require +> Notify['b'] } }
include derived
#= Notify[n] {"require": ["Notify[a]", "Notify[b]"]}

## B68 others cannot override
class base { notify { 'n': message => 'old' } }
class other { Notify['n'] { message => 'new' } } #! NO_CODE "Only subclasses"
include base
include other

## B68 defaults of parameters come from the parent
class base { $v = 'base' }
class derived($p = $base::v) inherits base { notify { $p: } }
include derived
#= Notify[base] {}

## B68 a parent that is not there
class derived inherits nosuch { } #! NO_CODE "nosuch"
include derived

## B69 include, more than once
class k { notify { 'k': } }
include k
include k, 'k', '::k', Class['k'], ['k']
#= Notify[k] {}

## B69 require orders
class k { notify { 'k': } }
class l { require k notify { 'l': } }
include l
#= Class[L] {"require": ["Class[K]"]}

## B69 contain contains
class k { notify { 'k': } }
class l { contain k }
include l
assert(defined(Class['k']))

## B69 a class declared like a resource
class k($p = 1) { notify { "p${p}": } }
class { 'k': p => 2 }
#= Notify[p2] {}
#= Class[K] {"p": 2}

## B69 a class is declared like a resource first or not at all
class k($p = 1) { }
include k
class { 'k': p => 2 } #! RUNTIME_ERROR "K"

## B69 classes take their parameters from data
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: common, path: common.yaml}]
#@ file hiera.yaml | defaults: {datadir: data, data_hash: yaml_data}
#@ file data/common.yaml | k::p: from data
#@ file data/common.yaml | k::q: 5
#@ file k/manifests/init.pp | class k(String $p, Integer $q, $r = 'own') { notify { "${p} ${q} ${r}": } }
include k
#= Notify[from data 5 own] {}

## B69 a class that is not there
include nosuch #! RUNTIME_ERROR "nosuch"

## B69 classes of the node
#@ node_classes ["enc"]
class enc { notify { 'from outside': } }
#= Notify[from outside] {}

## B70 nodes by name
node 'testnode.example.com' { notify { 'name': } }
node default { notify { 'default': } }
#= Notify[name] {}
#- Notify[default]

## B70 nodes by pattern
node /^test(node)/ { notify { "pattern ${1}": } }
node default { notify { 'default': } }
#= Notify[pattern node] {}

## B70 a name is stronger than a pattern
node /test/ { notify { 'pattern': } }
node 'testnode.example.com' { notify { 'name': } }
#= Notify[name] {}
#- Notify[pattern]

## B70 the default node
node 'other.example.com' { notify { 'other': } }
node default { notify { 'default': } }
#= Notify[default] {}
#- Notify[other]

## B70 names without quotes, and several
node other, testnode.example.com { notify { 'several': } }
#= Notify[several] {}

## B70 a shorter name serves too
#@ settings {"strict": "off"}
node 'testnode' { notify { 'short': } }
node default { notify { 'default': } }
#- Notify[short]

## B70 no node at all
node 'other' { }
#! NO_CODE

## B70 nodes do not inherit
node 'a' inherits 'b' { } #! ILLEGAL_NODE_INHERITANCE

## B70 names of nodes do not interpolate
node "a${1}" { } #! ILLEGAL_HOSTNAME_INTERPOLATION

## B71 definitions do not stand in conditions
if true { class k { } } #! NOT_TOP_LEVEL

## B71 nodes do not stand in blocks
if true { node default { } } #! NOT_TOP_LEVEL

## B71 a file of a module defines what its name says
#@ file k/manifests/init.pp | class k { }
#@ file k/manifests/l.pp | class wrong::name { }
include k::l
#! ILLEGAL_DEFINITION_LOCATION

## B85 a class in a stage
stage { 'first': before => Stage['main'] }
class k { notify { 'k': } }
class { 'k': stage => first }
#= Class[K] {"stage": "first"}
#= Stage[first] {"before": "Stage[main]"}

## B85 a stage that is not there
class k { }
class { 'k': stage => nosuch } #! RUNTIME_ERROR "nosuch"

## B85 resources have no stage
notify { 'n': stage => main } #! RUNTIME_ERROR "stage"

## B95 keywords are no names
class case { } #! SYNTAX_ERROR

## B95 attr and private are reserved
$x = private #! RESERVED_WORD

## B96 plan may be reserved as a name later
class plan { } #% warning "plan"

## B100 words of former versions are ordinary
define application { notify { 'app': } }
application { 'x': }
#= Notify[app] {}

## B101 import is gone
import 'other.pp' #! DISCONTINUED_IMPORT

## B65 attributes of classes may be deferred or spread
class k($a, $b = 2) { notify { "${a}${b}": } }
class { 'k': * => { 'a' => 1 } }
#= Notify[12] {}

## B66 nested classes are found by their full name only
class outer { class inner { } }
include inner #! RUNTIME_ERROR "inner"

## B69 tags of classes
class k { notify { 'n': } }
class l { if tagged('k') { notify { 'tagged': } } }
tag 'k'
include l
#= Notify[tagged] {}

## B69 classes of the node classifier are all there before one runs
#@ node_classes {"plain": null, "given": {"x": 2}}
class given($x = 1) { notice($x, defined(Class['plain'])) }
class plain { notice(defined(Class['given']), $given::x) }
#> 2 true
#> true 2

## the types of parameters are made when the definition is loaded
class never(Optional[Unknown::Thing] $x = undef) { } #! UNKNOWN_RESOURCE_TYPE
notice('not reached')

## what is wrong in such a type is an error even where the class is not declared
define never(Integer[5, 1] $x = undef) { } #! RUNTIME_ERROR

## a type of a parameter sees no variable in the main manifest
$n = 3
define c(Integer[1, $n] $x = 2) { } #! UNKNOWN_VARIABLE
c { 'a': }

## a type of a parameter in a module sees the top scope
#@ file m/manifests/init.pp | define m(Integer[1, $n] $x = 2) { notice($x) }
$n = 3
m { 'a': }
#> 2

## a type alias must come before its use in the same file
class c(T $x = 2) { } #! UNKNOWN_RESOURCE_TYPE
type T = Integer

## init.pp of a module is loaded before the file of a class
#@ file m/manifests/init.pp | class m(Optional[Unknown::Thing] $x = undef) { }
#@ file m/manifests/params.pp | class m::params { }
#! UNKNOWN_RESOURCE_TYPE
include m::params

## a syntax error in the file of a class comes before what is wrong with types in init.pp
#@ file m/manifests/init.pp | class m(Unknown::Thing $x) { }
#@ file m/manifests/params.pp | class m::params { ]
#! SYNTAX_ERROR
include m::params

## a definition in init.pp comes before the files of namespaces
#@ file m/manifests/init.pp | class m { } class m::a::b { notice('init') }
#@ file m/manifests/a.pp | class m::a {{
include m::a::b
#> init

## a class in init.pp and in a file of its own is defined twice
#@ file m/manifests/init.pp | class m { } class m::params { }
#@ file m/manifests/params.pp | class m::params { }
#! NO_CODE "already defined"
include m::params

## a mistake in init.pp shows when a defined type or a type alias of the module is loaded
#@ file m/manifests/init.pp | class m(Unknown::Thing $x) { }
#@ file m/types/t.pp | type M::T = Integer
#! UNKNOWN_RESOURCE_TYPE
notice(1 =~ M::T)

## init.pp does not matter to functions and templates of the module
#@ file m/manifests/init.pp | class m(Unknown::Thing $x) { }
#@ file m/functions/f.pp | function m::f() { 'f' }
#@ file m/templates/t.epp | t
notice(m::f(), epp('m/t.epp'))
#>> "f t\n"

## a defined type comes before a type alias of its name
#@ file m/manifests/t.pp | define m::t() { }
#@ file m/types/t.pp | type M::T = Integer
notice(1 =~ M::T, M::T)
#> false M::T

## the type of a function's result is made before the function runs
#@ file m/functions/f.pp | function m::f() >> Unknown { notice('not reached') }
#! UNKNOWN_RESOURCE_TYPE
m::f()

## a default that reads a missing parameter is not to blame
class p($a, $b = $a) { }
class { 'p': } #! RUNTIME_ERROR "Class[P]: expects a value for parameter $a"

## the first missing parameter that a default reads is named
class p($a, $b, $c = "${b}${a}") { }
include p #! RUNTIME_ERROR "Class[P]: expects a value for parameter $b"

## a template in a default reads a missing parameter
class p($a, $b = inline_epp('<%= $a %>')) { }
include p #! RUNTIME_ERROR "Class[P]: expects a value for parameter $a"

## getvar in a default reads a missing parameter
class p($a, $b = getvar('a'), $c = defined('$a')) { }
include p #! RUNTIME_ERROR "Class[P]: expects a value for parameter $a"

## a qualified name in a default reads a missing parameter
class p($a, $b = $p::a) { }
include p #! RUNTIME_ERROR "Class[P]: expects a value for parameter $a"

## a defined type whose default reads a missing parameter
define d($a, $b = $a) { }
d { 'x': } #! RUNTIME_ERROR "D[x]: expects a value for parameter $a"

## a default may not read a later parameter without a value
class p($a = $b, $b = 1) { }
class { 'p': } #! RUNTIME_ERROR "illegally accesses $b"

## a default reads a later parameter that the declaration sets
class p($a = $b, $b = 1) { notice($a) }
class { 'p': b => 'set' }
define d($a = $b, $b) { notice($a) }
d { 'x': b => File['/x'] }
#> set
#> File[/x]

## a default reads a later parameter that data sets
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: common, path: common.yaml}]
#@ file hiera.yaml | defaults: {datadir: data, data_hash: yaml_data}
#@ file data/common.yaml | p::b: data
class p($a = $b, $b = 1) { notice($a) }
include p
#> data

## the name of a defined type that is undef or false is its title
define d() { notice($name) }
d { 'x': name => undef }
d { 'y': name => false }
d { 'z': name => '' }
#> x
#> y
#>> ""

## the name of a class is a parameter of its resource
class m::a($of_default = $name) { notice("${name} ${title} ${of_default}") }
class { 'm::a': name => 'x' }
#> x m::a x

## the name of a class may not be the title of another one
class b { }
class m::a { }
include b
class { 'm::a': name => 'B' }   #! RUNTIME_ERROR "Cannot alias"

## the name of a class may not be that of the main class
class m::main { }
class { 'm::main': name => 'main' }   #! RUNTIME_ERROR "Cannot alias"

## a class of the name main is another than the main class
class main($p) { notify { $p: } }
class { 'main': p => 'q', name => 'Main' }
notify { 'y': require => Class['main'] }
#= Class[Main] {"p": "q"}
#= Notify[q] {}

## return and next in a default end the include of the class
class q($p = return()) { notice(1) }
class r($p = next()) { notice(1) }
class s($p = [1].each |$x| { return() }) { notice(1) }
include q
contain r
include s
notice(2)
#> 2
assert(defined(Class['q']))

## return in a default of a class that a resource expression declares
class q($p = return()) { }      #! NO_CODE "return"
class { 'q': }
