# Rules that decide which catalog a node gets: nodes, collectors, overrides, references, relationships.

## a collector for what an array is not compares the whole array
@notify { 'one': tag => ['q'] }
@notify { 'two': tag => 'q' }
@notify { 'three': message => ['q', 'r'] }
Notify <| tag != 'q' |>
#= Notify[one] {"tag": ["q"]}
#- Notify[two]
#= Notify[three] {"message": ["q", "r"]}

## a collector for another tag looks at the attribute, not at the title
@notify { 'two': }
Notify <| tag != 'two' |>
#= Notify[two] {}

## an evaluated define is overridden with a warning
#@ settings {"strict": "warning"}
define foo($m) { notify { 'n': message => $m } }
foo { 't': m => 'g' }
define later {
  Foo <| |> { m => 'o', tag => 'late' }
}
later { 'x': }
#% warning "already evaluated"
#= Foo[t] {"m": "o", "tag": "late"}
#= Notify[n] {"message": "g", "tag": "late"}

## an evaluated define is overridden silently when strict is off
#@ settings {"strict": "off"}
define foo($m) { notify { 'n': message => $m } }
foo { 't': m => 'g' }
define later { Foo <| |> { m => 'o' } }
later { 'x': }
#= Foo[t] {"m": "o"}
#= Notify[n] {"message": "g"}

## an override of an evaluated define is an error where it stands
define foo($m) { notify { 'n': message => $m } }
foo { 't': m => 'g' }
define later {
  Foo <| |> { m => 'o' } #! RUNTIME_ERROR "already evaluated"
}
later { 'x': }

## the error of an override is on the line of its attribute
class a { notify { 'x': message => 'one' } }
class b inherits a {
  Notify['x'] {
    message => 'two',
  }
}
class c inherits a {
  Notify['x'] {
    message => 'three', #! NO_CODE "line: 50"
  }
}
include b, c

## a class is no resource to override
class a($x = 1) { }
include a
Class['a'] { x => 2 } #! ILLEGAL_OVERRIDDEN_TYPE

## a node's pattern may match the name default
#@ node "web"
node /fau/ { notify { 'a': } }
#= Node[__node_regexp__fau] {}
#= Notify[a] {}

## what a node's pattern finds in the name default is captured
#@ node "web"
node /d(.)f/ { notify { "found ${1}": } }
#= Notify[found e] {}

## a pattern that matches the node comes before one that matches default
#@ node "web"
node /def/ { notify { 'a': } }
node /web/ { notify { 'b': } }
#= Notify[b] {}

## a node called default gets the default definition, not a pattern's
#@ node "default"
node default { notify { 'a': } }
node /def/ { notify { 'b': } }
#= Notify[a] {}

## without a definition for a node or for default there is no catalog
#@ node "web"
node /DEF/ { }
#! NO_CODE "node definition"

## names of node patterns spell out special groups
#@ node "test1"
node /test(?:ing)?(?!x)/ { notify { 'a': } }
#= Node[__node_regexp__testlpqu:ingrplpquexxrp] {}

## node patterns that differ in a special group are two nodes
#@ node "async"
node /(?<!a)sync/ { }
node /async/ { notify { 'a': } }
#= Notify[a] {}

## node patterns with the same name are one node
node /a.*(c)?/ { }
node /a.*c/ { } #! NO_CODE "__node_regexp__a.c"

## a node stands in a list once
node 'foo', 'FOO' { } #! NO_CODE "'foo'"

## two nodes of the default name
node default { }
node 'default' { } #! NO_CODE "'default'"

## a class is not called like a node
node 'Foo' { }
class foo { } #! NO_CODE "'foo'"

## a define may be called like a node
node foo { }
define foo { }
node default { foo { 'a': } }
#= Foo[a] {}

## undef in the array of a relationship is left out
notify { 'a': }
notify { 'b': require => [undef, Notify['a']] }
notify { 'c': before => [undef] }
create_resources(notify, { 'd' => { 'subscribe' => [undef, [Notify['a'], undef]] } })
define d { }
d { 'e': require => [Notify['a'], undef] }
#= Notify[b] {"require": ["Notify[a]"]}
#= Notify[c] {"before": []}
#= Notify[d] {"subscribe": ["Notify[a]"]}
#= D[e] {"require": ["Notify[a]"]}

## the array of a relationship lies flat
notify { 'a': }
notify { 'b': require => [['Notify[a]'], undef, [[]]], message => [undef, 'x'] }
#= Notify[b] {"require": ["Notify[a]"], "message": [null, "x"]}

## a reference finds a resource by what its title means
file { '/a': mode => '0644' }
notify { 'b': require => File['/a/'] }
File['/a/'] -> notify { 'c': }
assert(defined(File['/a/']))
assert(File['/a/']['mode'] == '0644')
#= File[/a] {"mode": "0644", "before": ["Notify[c]"]}
#= Notify[b] {"require": "File[/a/]"}

## a package is found by its name
@package { 'a': name => 'b' }
realize(Package['b'])
notify { 'c': require => Package['b'] }
#= Package[a] {"name": "b"}
#= Notify[c] {"require": "Package[b]"}

## an override finds its resource by what the title means
class c { file { '/a': mode => '0644' } }
class d inherits c { File['/a/'] { mode => '0600' } }
include d
#= File[/a] {"mode": "0600"}

## the text of a reference names a class in any case
class y::z { }
include y::z
notify { 'x': require => 'Class[y::z]' }
realize('Class[y::z]')
#= Notify[x] {"require": "Class[y::z]"}

## the text of a reference has no quotes
file { '/a': }
notify { 'x': require => "File['/a']" } #! NO_CODE "File['/a']"

## the text of a reference in an arrow is a type
file { '/a': }
"File['/a/']" -> notify { 'x': }
#= File[/a] {"before": ["Notify[x]"]}

## the class of the top level is in no relationship
Class['main'] -> notify { 'x': }
#! NO_CODE "Class[Main]"

## parameters of bare types take any value
class t(Optional $a, Variant $b, Array[Optional] $c, Struct[{ k => Variant }] $d) {
  assert([$a, $b, $c, $d] == ['h', 1, ['h'], { 'k' => 'h' }])
}
class { 't': a => 'h', b => 1, c => ['h'], d => { 'k' => 'h' } }
define u(Hash[String, Optional] $h, Array[Enum] $e) { }
u { 'x': h => { 'k' => 'h' }, e => ['h'] }
assert(inline_epp('<%| Variant $x |%><%= $x %>', { 'x' => 'h' }) == 'h')
#= U[x] {"h": {"k": "h"}, "e": ["h"]}

## functions do not take any value for bare types
function f(Optional $x) { }
f('h') #! RUNTIME_ERROR

## a bare Enum takes no value
class t(Optional[Enum] $x) { }
class { 't': x => 'h' } #! RUNTIME_ERROR "match for Enum"

## a class is not virtual, however strict
#@ settings {"strict": "off"}
class test { }
@class { 'test': } #! CLASS_NOT_VIRTUALIZABLE

## create_resources makes no virtual class
class test { }
create_resources('@@class', { 'test' => { } }) #! CLASS_NOT_VIRTUALIZABLE

## scripts do not realize
#@ settings {"tasks": true}
realize([]) #! CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING

## scripts do not tag
#@ settings {"tasks": true}
tag('x') #! CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING

## scripts are not tagged
#@ settings {"tasks": true}
notice(tagged('x')) #! CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING

## scripts do not include
#@ settings {"tasks": true}
include 'x' #! CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING

## scripts do not contain
#@ settings {"tasks": true}
function f() { contain 'x' } #! CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING
f()

## scripts do not require
#@ settings {"tasks": true}
require 1 #! CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING

## scripts do not create resources
#@ settings {"tasks": true}
create_resources('notify', { }) #! CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING

## scripts have no ERB templates
#@ settings {"tasks": true}
notice(inline_template('a')) #! NOT_SUPPORTED_WHEN_SCRIPTING

## scripts still count arguments
#@ settings {"tasks": true}
include() #! RUNTIME_ERROR

## a number in the text of a reference is a title
notify { ['1', '1.5', 'b']: }
"Notify[1]" -> Notify['b']
"Notify[1.5]" -> Notify['b']
#= Notify[1] {"before": ["Notify[b]"]}
#= Notify[1.5] {"before": ["Notify[b]"]}

## a number in code is not a title
notice(File[1]) #! BAD_TYPE_SPECIALIZATION

## a name that equals the title is left out of the catalog, as for native types
define d($x = 1) { notify { "${title} ${name}": } }
d { 'a': x => 2, name => 'a' }
d { 'b': x => 2, name => 'c' }
#= D[a] {"x": 2}
#= D[b] {"name": "c", "x": 2}
#= Notify[a a] {}
#= Notify[b c] {}

## a class may have its own name as an attribute
class m::c($x = 1) { }
class { 'm::c': name => 'M::C', x => 2 }
#= Class[M::C] {"x": 2}

## nodes cannot be collected
Node <| |>                                                  #! RUNTIME_ERROR "node"

## no other type than a resource type can be collected
Integer <| |>                                               #! RUNTIME_ERROR "Integer"

## an unknown type cannot be collected
Nosuch <| title == 'a' |>                                   #! RUNTIME_ERROR "Nosuch"
