# Resources, defaults, overrides: B73 to B81, B87, B88; create_resources and its like.

## B73 attributes
file { '/a': ensure => file, mode => '0644', content => "x\n", }
#= File[/a] {"ensure": "file", "mode": "0644", "content": "x\n"}

## B73 keywords as names of attributes
define d($unless = 1, $class = 2) { }
d { 'x': unless => 3, class => 4 }
#= D[x] {"unless": 3, "class": 4}

## B73 undef leaves an attribute out
file { '/a': ensure => file, mode => undef }
#= File[/a] {"ensure": "file"}

## B73 the value is a list of references
$r = notify { 'a': }
assert($r == [Notify['a']])

## B74 several bodies
notify { 'a': ; 'b': message => 'x'; }
#= Notify[a] {}
#= Notify[b] {"message": "x"}

## B75 several titles
notify { ['a', 'b']: message => 'same' }
notify { []: }
#= Notify[a] {"message": "same"}
#= Notify[b] {"message": "same"}

## B75 an empty title
notify { '': } #! EMPTY_STRING_TITLE_AT

## B75 undef as a title
notify { undef: } #! MISSING_TITLE

## B75 undef among titles
notify { ['a', undef]: } #! MISSING_TITLE_AT

## B75 a number as a title
notify { 1: } #! ILLEGAL_TITLE_TYPE_AT

## B75 a title that stands twice
notify { ['a', 'a']: } #! DUPLICATE_TITLE

## B76 defaults of an expression
file {
  default: mode => '0600', owner => 'root';
  '/a': ;
  '/b': mode => '0644';
}
#= File[/a] {"mode": "0600", "owner": "root"}
#= File[/b] {"mode": "0644", "owner": "root"}

## B76 one body of defaults
notify { default: message => 'a'; default: message => 'b'; 'x': } #! DUPLICATE_TITLE "default"

## B77 attributes from a hash
$h = { mode => '0600', owner => 'root' }
file { '/a': ensure => file, * => $h }
#= File[/a] {"ensure": "file", "mode": "0600", "owner": "root"}

## B77 one hash for a body
file { '/a': * => {}, * => {} } #! MULTIPLE_ATTRIBUTES_UNFOLD

## B77 what is spread is a hash
file { '/a': * => 'x' } #! TYPE_MISMATCH

## B77 an attribute of the hash that is there already
file { '/a': mode => '0600', * => { 'mode' => '0644' } } #! DUPLICATE_ATTRIBUE

## B78 types as values
$t = 'notify'
Resource[$t] { 'by name': }
Notify { 'as a type': }
#= Notify[by name] {}
#= Notify[as a type] {}

## B78 a variable is no type
$t = 'notify'
$t { 'a': } #! ILLEGAL_RESOURCE_TYPE

## B79 virtual resources
@notify { 'v': message => 'x' }
#- Notify[v]

## B79 virtual resources are realized
@notify { 'v': message => 'x' }
@notify { 'w': }
realize Notify['v']
realize(Notify['w'])
#= Notify[v] {"message": "x"}
#= Notify[w] {}

## B79 a virtual resource that is not there
realize Notify['nosuch']
#! NO_CODE "nosuch"

## B79 classes are not virtual
class k { }
@class { 'k': } #! CLASS_NOT_VIRTUALIZABLE

## B79 exported resources are not in the own catalog
#@ settings {"storeconfigs": false}
@@notify { 'e': } #% warning "storeconfigs"
#- Notify[e]

## B80 defaults
Notify { loglevel => 'info' }
notify { 'a': }
notify { 'b': loglevel => 'err' }
#= Notify[a] {"loglevel": "info"}
#= Notify[b] {"loglevel": "err"}

## B80 defaults reach what a class includes
class inner { notify { 'in': } }
class outer { Notify { loglevel => 'info' } include inner notify { 'out': } }
include outer
#= Notify[out] {"loglevel": "info"}
#= Notify[in] {"loglevel": "info"}

## B80 defaults are set once
Notify { loglevel => 'info' }
Notify { loglevel => 'err' } #! NO_CODE

## B80 undef undoes a default
File { mode => '0600' }
file { '/a': mode => undef }
#= File[/a] {}

## B80 defaults that come later do not reach what is finished
notify { 'a': }
Notify { message => 'late' }
#= Notify[a] {}

## B80 defaults are not virtual
@Notify { message => 'x' } #! NOT_VIRTUALIZEABLE

## B81 overrides
notify { 'a': }
Notify['a'] { message => 'over' }
#= Notify[a] {"message": "over"}

## B81 overrides of several
notify { ['a', 'b']: }
Notify['a', 'b'] { message => 'over' }
#= Notify[a] {"message": "over"}
#= Notify[b] {"message": "over"}

## B81 an override of what is set
notify { 'a': message => 'own' }
Notify['a'] { message => 'over' } #! NO_CODE "already"

## B81 an override of what is not there
Notify['nosuch'] { message => 'over' }
#! NO_CODE "nosuch"

## B81 adding stands in overrides only
notify { 'a': message +> 'x' } #! ILLEGAL_ATTRIBUTE_APPEND

## B87 a resource without a title
notify { message => 'x' } #! RESOURCE_WITHOUT_TITLE

## B88 an attribute twice
notify { 'a': message => 'x', message => 'y' } #! DUPLICATE_ATTRIBUE

## B88 a resource twice
notify { 'a': }
notify { 'a': } #! RUNTIME_ERROR "already"

## B88 a type that is not there
nosuchtype { 'a': } #! RUNTIME_ERROR "nosuchtype"

## B88 a parameter that is not there
notify { 'a': nosuch => 1 } #! NO_CODE "nosuch"

## B88 the same file by another title
file { '/a': }
file { 'b': path => '/a' } #! RUNTIME_ERROR

## B73 create_resources
create_resources('notify', { 'a' => { 'message' => 'x' }, 'b' => {} }, { 'loglevel' => 'info' })
#= Notify[a] {"message": "x", "loglevel": "info"}
#= Notify[b] {"loglevel": "info"}

## B73 create_resources makes virtual ones
create_resources('@notify', { 'a' => {} })
#- Notify[a]

## B73 create_resources declares classes
class k($p) { notify { $p: } }
create_resources('class', { 'k' => { 'p' => 'v' } })
#= Notify[v] {}

## B73 defined asks for types, classes and resources
class k { }
define d { }
notify { 'a': }
assert(defined('k'))
assert(defined('d'))
assert(defined(Notify['a']))
assert(!defined(Notify['b']))
assert(!defined(Class['k']))
assert(defined('file'))
assert(!defined('nosuch'))
$v = 1
assert(defined('$v'))
assert(!defined('$nosuch'))

## B73 iteration declares
['a', 'b'].each |$n| { notify { $n: message => "for ${n}" } }
#= Notify[a] {"message": "for a"}
#= Notify[b] {"message": "for b"}

## B73 metaparameters
notify { 'a': tag => ['x', 'y'], noop => true, alias => 'other', loglevel => 'debug' }
#= Notify[a] {"tag": ["x", "y"], "noop": true, "alias": "other", "loglevel": "debug"}

## B73 an alias is another name
notify { 'a': alias => 'other' }
notify { 'b': require => Notify['other'] }
#= Notify[b] {"require": "Notify[other]"}

## B73 tags
notify { 'a': tag => 'mine' }
class k { notify { 'b': } tag 'late' }
include k
Notify <| tag == 'mine' |> { message => 'tagged' }
Notify <| tag == 'k' |> { message => 'of class k' }
#= Notify[a] {"message": "tagged", "tag": "mine"}
#= Notify[b] {"message": "of class k"}

## B82 collectors realize
@notify { 'a': message => 'x' }
@notify { 'b': message => 'y' }
Notify <| message == 'x' |>
#= Notify[a] {"message": "x"}
#- Notify[b]

## B82 queries
@user { 'a': groups => ['web', 'db'], uid => '1' }
@user { 'b': groups => ['db'], uid => '2' }
@user { 'c': uid => '3' }
User <| (title == 'c' or groups == 'web') and uid != '9' |>
#= User[a] {"groups": ["web", "db"], "uid": "1"}
#= User[c] {"uid": "3"}
#- User[b]

## B82 queries by tag
@notify { 'a': tag => 'one' }
@notify { 'b': tag => 'two' }
Notify <| tag != 'one' |>
#= Notify[b] {"tag": "two"}
#- Notify[a]

## B82 other operators are errors
Notify <| title =~ /a/ |> #! ILLEGAL_QUERY_EXPRESSION

## B82 a relationship between collectors is a collector as a value
notice(File<| mode == '0644' |> -> File<| |>)
#> [Catalog-Collector[File]]

## B82 classes are not collected
Class <| |> #! RUNTIME_ERROR

## B83 collectors that override
file { '/a': tag => 't', mode => '0600' }
File <| tag == 't' |> { mode => '0700', owner => 'root' }
#= File[/a] {"tag": "t", "mode": "0700", "owner": "root"}

## B83 collectors reach what comes later
Notify <| title == 'later' |> { message => 'caught' }
notify { 'later': }
#= Notify[later] {"message": "caught"}

## B83 collectors that add
notify { 'x': }
notify { 'y': }
notify { 'a': require => Notify['x'] }
Notify <| title == 'a' |> { require +> Notify['y'] }
#= Notify[a] {"require": ["Notify[x]", "Notify[y]"]}

## B84 exported collectors without storeconfigs
Notify <<| tag == 'x' |>> #% warning "storeconfigs"
notify { 'n': }
#= Notify[n] {}

## B86 metaparameters of relationships
notify { 'a': before => Notify['b'] }
notify { 'b': require => [Notify['c']], subscribe => Notify['c'] }
notify { 'c': notify => Notify['d'] }
notify { 'd': }
#= Notify[a] {"before": "Notify[b]"}
#= Notify[b] {"require": ["Notify[c]"], "subscribe": "Notify[c]"}
#= Notify[c] {"notify": "Notify[d]"}

## B86 a relationship to what is not there
notify { 'a': require => Notify['nosuch'] } #! NO_CODE "nosuch"

## B86 chains of arrays
notify { ['a', 'b']: }
notify { ['c', 'd']: }
[Notify['a'], Notify['b']] -> [Notify['c'], Notify['d']]
#= Notify[a] {"before": ["Notify[c]", "Notify[d]"]}
#= Notify[b] {"before": ["Notify[c]", "Notify[d]"]}

## B86 chains of collectors
notify { 'a': tag => 'one' }
notify { 'b': tag => 'two' }
Notify <| tag == 'one' |> -> Notify <| tag == 'two' |>
#= Notify[a] {"tag": "one", "before": ["Notify[b]"]}

## B86 chains of classes
class k { notify { 'k': } }
class l { notify { 'l': } }
include k, l
Class['k'] -> Class['l']
#= Class[K] {"before": ["Class[L]"]}

## B86 a chain to what is not there
notify { 'a': }
Notify['a'] -> Notify['nosuch']
#! NO_CODE "nosuch"

## B26 B82 a collector is no value
$x = Notify <| |> #! NOT_RVALUE

## B82 collectors look at what is new, and again at what did not match
define more($n) { if $n > 0 { @notify { "n${n}": tag => 'x', message => "m${n}" } more { "more${n}": n => $n - 1 } } }
more { 'a': n => 2 }
Notify <| message == 'changed' |> { withpath => true }
Notify <| tag == 'x' and title == 'n1' |> { message => 'changed' }
#= Notify[n1] {"message": "changed", "tag": "x", "withpath": true}
#- Notify[n2]

## a reference finds a resource by the unique key that its title stands for
file { '/tmp/a.d': mode => '0644' }
notice(defined(File['/tmp/a.d/']), defined(File['/tmp/a.d//']), defined(File['/tmp//a.d']), defined(File['/TMP/a.d']))
notice(File['/tmp/a.d/']['mode'])
#> true true false false
#> 0644

## the unique key of a resource that is titled otherwise
file { 'x': path => '/tmp/a.d', alias => 'named' }
notice(defined(File['/tmp/a.d']), defined(File['/tmp/a.d/']), defined(File['x/']), defined(File['named/']))
file { 'y/': path => '/tmp/b' }
notice(defined(File['y']), defined(File['/tmp/b/']))
#> true true true true
#> false true

## unique keys of several attributes
package { 'x': name => 'y' }
package { 'z': name => 'w', provider => 'gem' }
notice(defined(Package['y']), defined(Package['w']))
#> true false

## the name of an instance of a defined type is its unique key
define d() { }
d { 'x': name => 'y' }
notice(defined(D['x']), defined(D['y']))
notify { 'n': }
D['y'] -> Notify['n']
#> true true
#= D[x] {"name": "y", "before": ["Notify[n]"]}

## two instances of a defined type cannot share a name
define d() { }
d { 'y': }
d { 'x': name => 'y' } #! RUNTIME_ERROR "Cannot alias D[x] to y"

## an alias that is a number is no title
notify { 'a': alias => 1 }
notify { '1': alias => [2, true] }
notice(defined(Notify['2']), defined(Notify['true']))
#= Notify[a] {"alias": 1}
#= Notify[1] {"alias": [2, true]}
#> false false

## references and times are equal to no other value in a unique key or an alias
file { 'a': path => Timespan(3) }
file { 'b': path => Timespan(3) }
file { 'c': path => ['x', Class['settings']] }
file { 'd': path => ['x', Class['settings']] }
package { 'a': name => 'z', provider => { 'x' => [Timestamp('2020-01-01')] } }
package { 'b': name => 'z', provider => { 'x' => [Timestamp('2020-01-01')] } }
notify { 'a': alias => [Timespan(3), Class['settings']] }
notify { 'b': alias => [Timespan(3), Class['settings']] }
notice('equal to none')
#> equal to none

## other values are equal to the same value in a unique key
file { 'a': path => [1, { 'a' => [1.5] }] }
file { 'b': path => [1, { 'a' => [1.5] }] } #! RUNTIME_ERROR "Cannot alias File[b] to 1, {"a"=>[1.5]}"

## relationships find what they name by the unique key
file { '/a': }
notify { 'm': require => File['/a/'] }
notify { 'n': subscribe => ['File[/a//]', File['/a/']] }
File['/a/'] -> Notify['o']
notify { 'o': }
Notify['m'] -> File['/a//']
#= File[/a] {"before": ["Notify[o]"]}
#= Notify[m] {"require": "File[/a/]", "before": ["File[/a//]"]}

## realize and overrides find what they name by the unique key, collectors do not
@file { '/a': }
@file { '/b': }
realize(File['/a/'])
File <| title == '/b/' |>
class k { file { '/c': mode => '0644' } }
class l inherits k { File['/c/'] { mode => '0600' } }
include l
#= File[/a] {}
#= File[/c] {"mode": "0600"}
#- File[/b]

## a relationship to an empty title
notify { 'n': require => File[''] } #! NO_CODE

## an override that comes before its resource is kept by the title as written
class k { File['/a/'] { mode => '0600' } file { '/a': } }
include k
#! NO_CODE "File[/a/]"

## defined takes names with and without leading colons, in any letter case
#@ file foo/manifests/init.pp | class foo { }
#@ file foo/manifests/bar.pp | class foo::bar { }
#@ file foo/manifests/d.pp | define foo::d() { }
notice(defined('foo'), defined('::Foo::Bar'), defined('Foo::D'), defined('::foo::d'), defined('foo::nosuch'))
notice(defined('file'), defined('File'), defined('::file'))
notice(defined(Class['::Foo']), defined(Foo::D), defined(Type[Class['foo::nosuch']]))
include foo
notice(defined(Class['::Foo']), defined(Class['foo::bar']))
#> true true true true false
#> true true false
#> false true false
#> true false

## a hash as a tag holds its keys and values, and a reference none
class c { notify { 'inner': } }
class { 'c': tag => { 'x' => ['y', 1] } }
notify { 'a': tag => Notify['inner'] }
@notify { 'b': tag => { 'k' => 'v' } }
Notify <| tag == 'v' |>
Notify <| tag == 'y' |> { message => 'tagged' }
#= Notify[inner] {"message": "tagged"}
#= Notify[a] {"tag": "Notify[inner]"}
#= Notify[b] {"tag": {"k": "v"}}

## a hash in an array is no tag
notify { 'a': tag => [{ 'x' => 'y' }] } #! NO_CODE "Invalid tag"

## a variable with a type is not the type of a resource
$type = File
$type { '/x': }   #! ILLEGAL_RESOURCE_TYPE

## a type in parentheses is not the type of a resource
(File) { '/x': }   #! ILLEGAL_RESOURCE_TYPE

## an override has a title
Resource[file] { mode => '0644' }   #! RUNTIME_ERROR "has no title"

## an iterator is not the value of a parameter
notify { 'x': message => [1, 2].reverse_each }           #! RUNTIME_ERROR "Iterator"

## an iterator is not the value of a parameter of a class
class k(Iterable $a) { }
class { 'k': a => [1, 2].reverse_each }                  #! RUNTIME_ERROR "Iterator"

## an iterator is not the default of a parameter
class k($a = [1, 2].step(2)) { } include k               #! RUNTIME_ERROR "Iterator"

## an array that is made of an iterator is the value of a parameter
notify { 'x': message => Array([1, 2].reverse_each) }
assert(Notify['x']['message'] == [2, 1])
