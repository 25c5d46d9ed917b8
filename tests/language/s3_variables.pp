# The statements S3-1 to S3-59 of the text "Language: Variables" (Puppet 3.4), each in a case of its name.
#@ language "3.8"

## S3-1 a dollar and an equal sign
$content = "some content\n"
notice($content)
#>> "some content\n"

## S3-1 there is no variable without the dollar
content = 'x' #! SYNTAX_ERROR "unexpected '='"

## S3-2 values of all normal types
$s = 'text'
$n = 3
$b = true
$u = undef
$a = ['x']
$h = { 'k' => 'v' }
$r = File['/x']
notice($s, $n, $b, "<${u}>", $a[0], $h['k'], $r)
#> text 3 true <> x v File[/x]

## S3-2 but no regular expression
$r = /a/ #! SYNTAX_ERROR "unexpected '/'"

## S3-3 what comes to a value may be assigned
$sum = 2 + 3
$items = split('x-y', '-')
$other = $sum
$chosen = $sum ? { 5 => 'five', default => 'else' }
$test = 1 < 2 and 'a' in 'abc'
notice($sum, $items[1], $other, $chosen, $test)
#> 5 y 5 five true

## S3-3 the variable holds the value
$a = ['x']
$b = $a
class c {
  $a = ['changed']
  notice($b[0], $a[0])
}
include c
#> x changed

## S3-3 conditionals come to no value
$x = if true { 'a' } else { 'b' } #! SYNTAX_ERROR "unexpected 'if'"

## S3-4 no assignment to another scope
class apache { }
class c {
  $apache::port = 80 #! CROSS_SCOPE_ASSIGNMENT "'$apache::port'"
}

## S3-4 nor to that of the top by its name
$::port = 80 #! CROSS_SCOPE_ASSIGNMENT "'$::port'"

## S3-5 a variable stands for its value
$content = "some content\n"
$path = '/tmp/testing'
$flag = true
if $flag {
  file { $path:
    ensure  => file,
    content => $content,
  }
}
$address1 = '10.0.0.1'
$address2 = '10.0.0.2'
$address3 = '10.0.0.3'
$address_array = [$address1, $address2, $address3]
notice($address_array[2], regsubst($path, '^.*/', ''), "${path}" ? { $path => 'chosen', default => 'not' })
#> 10.0.0.3 testing chosen
#= File[/tmp/testing] {"ensure": "file", "content": "some content\n"}

## S3-6 variables in double-quoted strings
#@ facts {"ipaddress": "192.0.2.7"}
$rule = "Allow * from $ipaddress"
notice($rule)
#> Allow * from 192.0.2.7

## S3-7 braces around a name
$homedir = '/home/me'
file { "${homedir}/.vim": ensure => directory }
notice("${homedir}dir")
#= File[/home/me/.vim] {"ensure": "directory"}
#> /home/medir

## S3-8 braces only within strings
$v = 'x'
notice(${v}) #! SYNTAX_ERROR "unexpected '${v})'"

## S3-9 appending to what another scope gave
#@ facts {"hostname": "testnode", "domain": "example.com"}
$v = ['top']
node 'n.example.com' {
  $v += ['node']
  include parent
}
class parent {
  $own = ['parent']
}
class child inherits parent {
  $own += ['child']
  $v += ['class']
  notice($v, $own)
}
define d() {
  $v += ['define']
  notice($v)
}
node default {
  $v += ['node']
  include child
  d { 'x': }
}
#> top node class parent child
#> top node define

## S3-10 the example
$ssh_users = ['myself', 'someone']
class test {
  $ssh_users += ['someone_else']
  notice($ssh_users == ['myself', 'someone', 'someone_else'], size($ssh_users))
}
include test
notice($ssh_users == ['myself', 'someone'])
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
#> true 3
#> true

## S3-11 no string to an array
$list = ['a']
class c {
  $list += 'b' #! RUNTIME_ERROR "Cannot append a String to an Arr"
}
include c

## S3-11 no array to a hash
$hash = { 'a' => 1 }
class c {
  $hash += ['b'] #! RUNTIME_ERROR "Cannot append an Array to a Hash"
}
include c

## S3-11 no hash to a string
$text = 'a'
class c {
  $text += { 'a' => 1 } #! RUNTIME_ERROR "Cannot append a Hash to a String"
}
include c

## S3-12 only strings, arrays and hashes
$yes = true
class c {
  $yes += true #! RUNTIME_ERROR "Cannot append a Boolean to a Boo"
}
include c

## S3-12 numbers are strings here
$n = 1
class c {
  $n += 2
  notice($n)
}
include c
#> 12

## S3-13 strings
$s = 'abc'
class c {
  $s += 'def'
  notice($s)
}
include c
notice($s)
#> abcdef
#> abc

## S3-14 arrays
$l = ['first', 'second']
class c {
  $l += ['third', ['fourth']]
  notice("${l[0]} ${l[1]} ${l[2]} ${l[3][0]}")
}
include c
#> first second third fourth

## S3-15 hashes
$h = { 'a' => 1, 'b' => 2 }
class c {
  $h += { 'b' => 3, 'c' => 4 }
  notice($h['a'], $h['b'], $h['c'])
}
include c
notice($h['b'], "<${h['c']}>")
#> 1 3 4
#> 2 <>

## S3-16 not in the scope that defined it
$users = ['a']
$users += ['b'] #! RUNTIME_ERROR "Cannot append: the variable users is defined in this scope"

## S3-16 nor twice in one scope
$users = ['a']
class c {
  $users += ['b']
  $users += ['c'] #! RUNTIME_ERROR "Cannot append: the variable users is defined in this scope"
}
include c

## S3-17 a variable is seen in its scope and below
$top = 'T'
class parent { $inherited = 'P' }
class child inherits parent { notice("<${top}${inherited}>") }
class other { $local = 'L' }
class sibling { notice("<${inherited}${local}>") }
define d() { notice("<${top}${local}>") }
include child
include other
include sibling
d { 'd': }
notice("<${inherited}${local}>")
#> <TP>
#> <>
#> <>
#> <T>

## S3-18 a local scope may override it
$v = 'top'
class parent { $v = 'parent' }
class child inherits parent { $v = 'child' notice($v) }
define d($v = 'parameter') { notice($v) }
include child
d { 'd': }
notice($v)
#> child
#> top
#> parameter

## S3-19 variables of other scopes by qualified names
class apache::params { $vhostdir = '/etc/httpd/vhosts' }
class apache {
  include apache::params
  $vhostdir = $apache::params::vhostdir
  notice($vhostdir, $::apache::params::vhostdir, "${apache::params::vhostdir}")
}
include apache
#> /etc/httpd/vhosts /etc/httpd/vhosts /etc/httpd/vhosts

## S3-20 the name of the top scope is empty
#@ facts {"osfamily": "RedHat"}
$v = 'top'
class c {
  $v = 'local'
  $osfamily = 'other'
  notice($::v, $::osfamily, $v, $osfamily)
}
include c
#> top RedHat local other

## S3-21 a variable is assigned once
$motto = 'a'
$motto = 'b' #! ILLEGAL_REASSIGNMENT "Cannot reassign variable '$motto'"

## S3-21 a conditional is no scope of its own
$motto = 'a'
if true {
  $motto = 'b' #! ILLEGAL_REASSIGNMENT "Cannot reassign variable '$motto'"
}

## S3-22 another scope, another value
$v = 'top'
class a { $v = 'a' notice($v) }
class b { $v = 'b' notice($v) }
include a
include b
notice($v)
#> a
#> b
#> top

## S3-23 the example
#@ node "www1.example.com"
#@ facts {"hostname": "www1", "domain": "example.com"}
# scope-example.pp
# Run with puppet apply --certname www1.example.com scope-example.pp
$myvar = "Top scope value"
node 'www1.example.com' {
  $myvar = "Node scope value"
  notice( "from www1: $myvar" )
  include myclass
}
node 'db1.example.com' {
  notice( "from db1: $myvar" )
  include myclass
}
class myclass {
  $myvar = "Local scope value"
  notice( "from myclass: $myvar" )
}
#> from www1: Node scope value
#> from myclass: Local scope value

## S3-23 the example on another node
#@ node "db1.example.com"
#@ facts {"hostname": "db1", "domain": "example.com"}
$myvar = "Top scope value"
node 'www1.example.com' {
  $myvar = "Node scope value"
  notice( "from www1: $myvar" )
  include myclass
}
node 'db1.example.com' {
  notice( "from db1: $myvar" )
  include myclass
}
class myclass {
  $myvar = "Local scope value"
  notice( "from myclass: $myvar" )
}
#> from db1: Top scope value
#> from myclass: Local scope value

## S3-24 a template assigns no variable that there is
$x = 1
$y = inline_template('<% scope.setvar("x", 2) %>') #! RUNTIME_ERROR "Cannot reassign variable '$x'"

## S3-24 what it makes of its own stays with it
$x = 'old'
$shown = inline_template('<% x = "new" %><%= x %> <%= @x %>')
notice($shown, $x)
#> new old old

## S3-24 a new variable of a template stays
$shown = inline_template('<% scope.setvar("fresh", "made") %>')
notice($fresh)
#> made

## S3-25 a variable has no value before it is assigned
notice("<${v}>", $v == undef)
$v = 'set'
notice("<${v}>")
#> <> true
#> <set>

## S3-25 nor has one of a class
class p { $v = 'set' }
notice("<${p::v}>") #% warning "has not been evaluated"
include p
notice("<${p::v}>")
#> <>
#> <set>

## S3-25 with strict_variables it is a mistake
#@ settings {"strict_variables": true}
notice("<${v}>") #! UNKNOWN_VARIABLE "Unknown variable: 'v'"
$v = 'set'

## S3-26 names are case-sensitive
$name_a = 'small'
$name_A = 'large'
$Upper = 'U'
notice($name_a, $name_A, $Upper, "<${upper}>")
#> small large U <>

## S3-27 letters, digits and underscores
$a1_b2 = 'a'
$_lead = 'b'
$x9 = 'c'
$x = 'd'
notice($a1_b2, $_lead, $x9, "$x-9 $x.9")
#> a b c d-9 d.9

## S3-27 no dashes
$my-var = 'x' #! SYNTAX_ERROR "unexpected '-'"

## S3-28 the name of the scope, two colons, the short name
class apache::params { $vhostdir = '/v' }
include apache::params
notice($apache::params::vhostdir, "$apache::params::vhostdir/x")
#> /v /v/x

## S3-29 the names of captures are reserved
$1 = 'x' #! RUNTIME_ERROR "Cannot assign to the match variable '$1'"

## S3-29 trusted is reserved when it is on
#@ settings {"trusted_node_data": true}
$trusted = 'x' #! ILLEGAL_RESERVED_ASSIGNMENT "Attempt to assign to a reserved variable name: '$trusted'"

## S3-29 title and name are those of the resource
define d() { notice("${title} ${name}") }
d { 'it': }
#> it it

## S3-29 nor can one assign them
define d() {
  $name = 'x' #! ILLEGAL_REASSIGNMENT "Cannot reassign variable '$name'"
}
d { 'it': }

## S3-30 there are variables at the top
notice($environment, $::environment)
class c { notice($::environment) }
include c
#> production production
#> production

## S3-31 facts are variables at the top
#@ facts {"hostname": "web1", "ipaddress": "192.0.2.9"}
notice($hostname, $::ipaddress, "$hostname")
class c { notice($hostname, $::ipaddress) }
include c
#> web1 192.0.2.9 web1
#> web1 192.0.2.9

## S3-32 facts of one's own too
#@ facts {"datacenter_row": "r12"}
class c { notice($::datacenter_row, $datacenter_row) }
include c
#> r12 r12

## S3-33 trusted is a hash of what is known for sure
#@ settings {"trusted_node_data": true}
#@ trusted {"authenticated": "remote", "certname": "web1.example.com", "extensions": {"pp_role": "db"}}
#@ facts {"certname": "spoofed", "trusted": "spoofed", "hostname": "web1", "domain": "example.com"}
#@ node "web1.example.com"
notice($trusted['certname'], $::trusted['authenticated'], $trusted['extensions']['pp_role'])
#> web1.example.com remote db

## S3-34 the setting turns it on
#@ settings {"trusted_node_data": true}
if $trusted { notice('on') } else { notice('off') }
#> on

## S3-34 without it there is none
#@ settings {"trusted_node_data": false}
if $trusted { notice('on') } else { notice('off') }
$trusted = 'mine'
notice($trusted)
#> off
#> mine

## S3-35 whether and how the request was authenticated
#@ settings {"trusted_node_data": true}
notice($trusted['authenticated'] in ['remote', 'local'])
#> true

## S3-36 remote
#@ settings {"trusted_node_data": true}
#@ trusted {"authenticated": "remote", "certname": "web1.example.com"}
notice($trusted['authenticated'])
#> remote

## S3-37 local
#@ settings {"trusted_node_data": true}
notice($trusted['authenticated'])
#> local

## S3-38 false
#@ settings {"trusted_node_data": true}
#@ trusted {"authenticated": false, "certname": ""}
notice($trusted['authenticated'] == false)
if $trusted['authenticated'] { notice('yes') } else { notice('no') }
#> true
#> no

## S3-39 the name of the certificate
#@ settings {"trusted_node_data": true}
#@ node "n1.example.com"
#@ facts {"hostname": "n1", "domain": "example.com"}
notice($trusted['certname'], "${trusted['certname']}")
#> n1.example.com n1.example.com

## S3-40 a remote request's is of the certificate
#@ settings {"trusted_node_data": true}
#@ trusted {"authenticated": "remote", "certname": "web1.example.com"}
#@ facts {"clientcert": "spoofed", "fqdn": "spoofed"}
notice($trusted['certname'], $clientcert)
#> web1.example.com spoofed

## S3-41 a local request's is the setting
#@ settings {"trusted_node_data": true}
#@ node "laptop.example.net"
#@ facts {"hostname": "laptop", "domain": "example.net"}
notice($trusted['certname'] == $settings::certname, $trusted['certname'])
#> true laptop.example.net

## S3-42 without authentication it is empty
#@ settings {"trusted_node_data": true}
#@ trusted {"authenticated": false}
notice("<${trusted['certname']}>", $trusted['certname'] == '')
#> <> true

## S3-42 whatever name the request has
#@ settings {"trusted_node_data": true}
#@ trusted {"authenticated": false, "certname": "claimed.example.com"}
#@ node "claimed.example.com"
#@ facts {"hostname": "claimed", "domain": "example.com"}
notice("<${trusted['certname']}>")
#> <>

## S3-42 in Puppet 8 it is undef
#@ language "8"
#@ trusted {"authenticated": false}
assert($trusted['certname'] == undef)
assert($trusted['hostname'] == undef)

## S3-43 trusted is not assigned in a class
#@ settings {"trusted_node_data": true}
class c {
  $trusted = { 'certname' => 'x' } #! ILLEGAL_RESERVED_ASSIGNMENT "Attempt to assign to a reserved variable name: '$trusted'"
}
include c

## S3-43 nor is it a parameter
#@ settings {"trusted_node_data": true}
define d($trusted) { }
d { 'd': trusted => 'x' } #! ILLEGAL_RESERVED_ASSIGNMENT "Attempt to assign to a reserved variable name: '$trusted'"

## S3-44 no key is added
#@ settings {"trusted_node_data": true}
$trusted['extra'] = 'x' #! RUNTIME_ERROR "'extra' cannot be modified: trusted data and facts are read-only"

## S3-44 not by another name either
#@ settings {"trusted_node_data": true}
$other = $trusted
$other['extra'] = 'x' #! RUNTIME_ERROR "'extra' cannot be modified"

## S3-45 no key changes in a template
#@ settings {"trusted_node_data": true}
$x = inline_template('<%= @trusted["certname"] = "other" %>') #! RUNTIME_ERROR "can't modify frozen Hash"

## S3-45 nor what a key holds
#@ settings {"trusted_node_data": true}
$x = inline_template('<%= @trusted["certname"] << "other" %>') #! RUNTIME_ERROR "can't modify frozen String"

## S3-46 off in Puppet 3
if $trusted { notice('on') } else { notice('off') }
#> off

## S3-46 on in Puppet 4
#@ language "8"
assert($trusted =~ Hash)

## S3-47 clientcert
#@ node "web8.example.com"
#@ facts {"hostname": "web8", "domain": "example.com"}
notice($clientcert)
#> web8.example.com

## S3-48 clientversion
if $clientversion =~ /^\d+\.\d+/ { notice('set') }
#> set

## S3-48 it is the agent's
#@ facts {"clientversion": "3.4.2"}
notice($clientversion)
#> 3.4.2

## S3-49 clientnoop
#@ facts {"clientnoop": true}
notice($clientnoop)
#> true

## S3-49 it is false when nothing is said
notice($clientnoop)
#> false

## S3-50 what an agent says is not to be trusted
#@ settings {"trusted_node_data": true}
#@ trusted {"authenticated": "remote", "certname": "true.example.com"}
#@ facts {"clientcert": "false.example.com", "clientversion": "0.1", "clientnoop": "perhaps"}
notice($clientcert, $clientversion, $clientnoop, $trusted['certname'])
#> false.example.com 0.1 perhaps true.example.com

## S3-51 environment
#@ settings {"environment": "testing"}
notice($environment, $::environment)
#> testing testing

## S3-52 servername
#@ server_facts {"servername": "puppet.example.com", "serverip": "192.0.2.1", "serverversion": "3.4.0"}
notice($servername)
#> puppet.example.com

## S3-52 it is set by the master itself
if $servername { notice('set') }
notice($servername == $settings::certname)
#> set
#> false

## S3-53 serverip
#@ server_facts {"servername": "puppet.example.com", "serverip": "192.0.2.1", "serverversion": "3.4.0"}
notice($serverip, $::serverip)
#> 192.0.2.1 192.0.2.1

## S3-54 serverversion
#@ server_facts {"servername": "puppet.example.com", "serverip": "192.0.2.1", "serverversion": "3.4.0"}
notice($serverversion)
#> 3.4.0

## S3-54 it is set by the master itself
if $serverversion =~ /^\d+\.\d+/ { notice('set') }
#> set

## S3-55 settings of the master
#@ settings {"ordering": "manifest", "filetimeout": 77}
#@ node "n5.example.com"
#@ facts {"hostname": "n5", "domain": "example.com"}
notice($settings::certname, $::settings::ordering, "${settings::filetimeout}")
#> n5.example.com manifest 77

## S3-55 only with the name of their scope
#@ settings {"ordering": "manifest"}
notice("<${ordering}> <${certname}>")
#> <> <>

## S3-56 settings of the agent need a fact
#@ facts {"agent_ordering": "random"}
#@ settings {"ordering": "manifest"}
notice($settings::ordering, $agent_ordering)
#> manifest random

## S3-57 module_name
#@ file apache/manifests/init.pp | class apache { notice("class in ${module_name}") }
#@ file apache/manifests/vhost.pp | define apache::vhost() { notice("define in ${module_name}") }
include apache
apache::vhost { 'v': }
notice("<${module_name}>")
#> class in apache
#> <>
#> define in apache

## S3-58 caller_module_name
#@ file lib/manifests/helper.pp | define lib::helper() { notice("${title}: ${caller_module_name}") }
#@ file app/manifests/init.pp | class app { lib::helper { 'app': } }
#@ file db/manifests/init.pp | class db { lib::helper { 'db': } }
include app
include db
lib::helper { 'top': }
#> app: app
#> db: db
#> top: 

## S3-59 both are in every local scope
#@ file app/manifests/init.pp | class app { notice($module_name) app::one { 'x': } include app::two }
#@ file app/manifests/one.pp | define app::one() { notice($module_name, $caller_module_name) other::it { 'y': } }
#@ file app/manifests/two.pp | class app::two { notice($module_name) }
#@ file other/manifests/it.pp | define other::it() { notice($module_name, $caller_module_name) }
include app
#> app
#> app
#> app app
#> other app
