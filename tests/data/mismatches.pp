## A wrong entry deep in a Struct
class web (
  Struct[{listen => Struct[{port => Integer[1, 65535], Optional[ssl] => Boolean}]}] $options,
) { }
class { 'web': options => { listen => { port => '8080', ssl => true } } }

## A key of a nested Struct misspelt
class web (
  Struct[{listen => Struct[{port => Integer[1, 65535], Optional[ssl] => Boolean}]}] $options,
) { }
class { 'web': options => { listen => { prot => 8080 } } }

## A string that the Enum does not have
class service (Enum['running', 'stopped'] $ensure) { }
class { 'service': ensure => 'runing' }

## Optional does not mean anything goes
define vhost (Optional[Integer[1, 65535]] $port = undef) { }
vhost { 'example.com': port => '80' }

## A Variant of Structs
class backup (
  Variant[
    Struct[{kind => Enum['local'], path => String[1]}],
    Struct[{kind => Enum['s3'], bucket => String[1], keep => Integer[1]}]
  ] $target,
) { }
class { 'backup': target => { kind => 's3', bucket => 'b', keep => 'ten' } }

## An element of an array, one of its many
class users (Array[Struct[{name => String[1], uid => Integer[1000]}]] $list) { }
class { 'users': list => [{ name => 'alice', uid => 1000 }, { name => 'bob', uid => 10 }] }

## A value of a hash
class hosts (Hash[String[1], Array[String[1]]] $aliases) { }
class { 'hosts': aliases => { 'web' => ['www'], 'db' => 'sql' } }

## A type alias
type Web::Port = Integer[1, 65535]
class web (Web::Port $port) { }
class { 'web': port => 70000 }

## Alternatives: a flag or one of some words
class package (Variant[Boolean, Enum['latest', 'present', 'absent']] $ensure) { }
class { 'package': ensure => 'lastest' }

## A lambda with too many parameters
$x = { a => 1 }.map |$key, $value, $more| { $key }

## A lambda whose parameter does not take what it is given
$x = [1, 2].each |String $text| { notice($text) }

## An argument too many
function join_path(String $base, String $name) { "${base}/${name}" }
join_path('/etc', 'ssh', 'sshd_config')

## A parameter that is not there, one that is missing
class ntp (Array[String] $servers, Boolean $iburst = true) { }
class { 'ntp': server => ['a'] }

## A Tuple
class range (Tuple[Integer, Integer] $ports) { }
class { 'range': ports => [80, '90'] }

## A bare string for a secret
class db (Sensitive[String[8]] $password) { }
class { 'db': password => 'too open' }

## Several arguments of a built-in function
$x = join(['a', 'b'], 5)
