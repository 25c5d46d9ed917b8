# The statements S1-1 to S1-105 of the text "Language: Data Types" (Puppet 3.8), each in a case of its name.
#@ language "3.8"

## S1-1 what a variable may hold, an attribute and an argument
$values = [true, undef, 'text', File['/a'], 1, ['item'], { 'key' => 'value' }]
$reference = File['/a']
notify { 'n': message => $values[4], require => $values[3], tag => $values[5] }
file { '/a': }
notice($values[0], $values[2], $reference, $values[4], $values[5], $values[6]['key'])
#> true text File[/a] 1 item value
#= Notify[n] {"message": "1", "require": "File[/a]", "tag": "item"}

## S1-2 two Booleans
$a = true
$b = false
notice($a, $b, $a == true, $b == false, $a == $b)
#> true false true true false

## S1-2 in quotes they are text
notice('true' == true, "false" == false, 'false' == 'false')
#> false false true

## S1-3 the condition of if
$condition = false
if true { notice('yes') } else { notice('no') }
if $condition { notice('yes') } else { notice('no') }
#> yes
#> no

## S1-4 comparisons return Booleans
$equal = 'a' == 'a'
$greater = 3 > 5
notice($equal == true, $greater == false, 1 != 2, 1 < 2, 2 <= 1, 2 >= 1, 'b' in 'abc', 'a' =~ /a/, 'a' !~ /a/)
#> true true true true false true true true false

## S1-4 functions too
notice(defined('file') == true, tagged('nowhere') == false)
#> true true

## S1-5 other values become Booleans where one is wanted
if 'text' and 1 and ! undef { notice('yes') }
unless undef { notice('unless') }
notice(! 'text', 'a' and 'b', undef or '')
#> yes
#> unless
#> false true false

## S1-6 an empty string is false
if '' { notice('true') } else { notice('false') }
if "" { notice('true') } else { notice('false') }
#> false
#> false

## S1-7 any other string is true
if 'false' { notice('quoted false') }
if ' ' { notice('space') }
if '0' { notice('zero') }
#> quoted false
#> space
#> zero

## S1-8 facts are strings where that is set
#@ facts {"is_virtual": false, "cores": 4}
#@ settings {"stringify_facts": true}
if $is_virtual { notice('true') }
notice($is_virtual == 'false', $is_virtual == false, $cores == '4')
#> true
#> true false true

## S1-8 or they keep their types
#@ facts {"is_virtual": false, "list": ["a", "b"]}
#@ settings {"stringify_facts": false}
if $is_virtual { notice('true') } else { notice('false') }
notice($is_virtual == 'false', $is_virtual == false, $list[1])
#> false
#> false true b

## S1-9 str2bool is more intelligent
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
notice(str2bool('false'), str2bool('no'), str2bool('true'), str2bool(''))
#> false false true false

## S1-10 all numbers are true
if 0 and -1 and 0.0 and 7 { notice('true') }
#> true

## S1-11 num2bool is more intelligent
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
notice(num2bool(0), num2bool(1), num2bool('-1'))
#> false true false

## S1-12 undef is false
$nothing = undef
if undef { notice('true') } else { notice('false') }
if $nothing { notice('true') } else { notice('false') }
#> false
#> false

## S1-13 arrays are true
$empty = []
if $empty { notice('empty') }
if ['a'] { notice('full') }
#> empty
#> full

## S1-14 hashes are true
$empty = {}
$full = { 'a' => 1 }
if $empty { notice('empty') }
if $full { notice('full') }
#> empty
#> full

## S1-15 references are true
if File['/declared'] { notice('declared') }
if File['/later'] { notice('later') }
if File['/never'] { notice('never') }
if Nosuchtype['x'] { notice('no type') }
file { '/later': }
#> declared
#> later
#> never
#> no type

## S1-16 a regular expression is no Boolean
if /a/ { } #! SYNTAX_ERROR "unexpected '/'"

## S1-17 what was never declared is undef
notice($never == undef, "<${never}>")
if $never { notice('true') } else { notice('false') }
#> true <>
#> false

## S1-18 undef is a bare word
$nothing = undef
$word = 'undef'
notice($nothing == undef, $word == undef, "<${nothing}>", "<${word}>")
#> true false <> <undef>

## S1-19 undef tells whether a variable has been set
define d($given = undef) {
  if $given == undef { notice("${title}: not set") } else { notice("${title}: ${given}") }
}
d { 'a': }
d { 'b': given => 'x' }
#> a: not set
#> b: x

## S1-20 undef takes away what a default gave
File { mode => '0644', owner => 'root' }
file { '/kept': ensure => file }
file { '/unset': ensure => file, mode => undef }
#= File[/kept] {"ensure": "file", "mode": "0644", "owner": "root"}
#= File[/unset] {"ensure": "file", "owner": "root"}

## S1-21 a string may have quotes, or none
notice(text == 'text', 'text' == "text", '')
#> true true 

## S1-21 strings are of any length
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
$ten = 'abcdefghij'
$thousand = "${ten}${ten}${ten}${ten}${ten}${ten}${ten}${ten}${ten}${ten}"
$long = "${thousand}${thousand}${thousand}${thousand}${thousand}${thousand}${thousand}${thousand}"
notice(size($long))
#> 800

## S1-22 single quotes where nothing is interpolated, else double quotes
$name_of_it = 'x'
notice('plain' == "plain", '$name_of_it', "$name_of_it")
#> true $name_of_it x

## S1-23 bare words are strings
$state = running
notice(present, $state, $state == 'running', [red, dark-blue])
#> present running true red dark-blue

## S1-24 a bare word is not a reserved word
$x = case #! SYNTAX_ERROR "unexpected 'case'"

## S1-24 not as an argument either
notice(if) #! SYNTAX_ERROR "unexpected 'if'"

## S1-25 a bare word begins with a small letter
notice(abc, read-only, x86_64, a1-b_2)
#> abc read-only x86_64 a1-b_2

## S1-25 one with a capital is the beginning of a reference
$x = Foo
notice(Foo, "${x}", File['/a'], File ['/a'])
#> Foo Foo File[/a] File[/a]

## S1-25 such a reference wants its title
notify { 'n': require => File[] } #! SYNTAX_ERROR "Syntax error: unexpected ']'"

## S1-25 it has no dots
notice(www.example.com) #! SYNTAX_ERROR "unexpected '.', expected ')'"

## S1-25 it begins with no underscore
notice(_word) #! SYNTAX_ERROR "unexpected '_word)'"

## S1-25 it begins with no digit
#@ follow "documents"
notice(2nd) #! ILLEGAL_NUMBER "'2nd' is not a valid number"

## S1-25 Puppet itself let a digit pass
notice(2nd)
#> 2nd

## S1-26 bare words in attributes
file { '/a': ensure => directory }
service { 'ntp': ensure => running }
#= File[/a] {"ensure": "directory"}
#= Service[ntp] {"ensure": "running"}

## S1-27 nothing is interpolated in single quotes
$v = 'x'
notice('$v ${v} ${ $v }')
#> $v ${v} ${ $v }

## S1-28 the escape of single quotes
notice('it\'s', 'a\nb\tc\$d\"e')
#> it's a\nb\tc\$d\"e

## S1-28 a double backslash is none
notice('a\\b')
#> a\\b

## S1-29 a line break in single quotes
notice('one
two')
#>> "one\ntwo"

## S1-30 a backslash is itself
notice('C:\Windows\System32', '\d+\.\w', '\\\\host')
#> C:\Windows\System32 \d+\.\w \\\\host

## S1-31 a single quoted string ends in no backslash
$path = 'C:\Program Files(x86)\' #! UNCLOSED_QUOTE "is never closed"

## S1-31 nor does one end in a single one when it is doubled
notice('C:\Program Files(x86)\\')
#> C:\Program Files(x86)\\

## S1-31 double quotes serve
file { 'x': path => "C:\\Program Files(x86)\\" }
#= File[x] {"path": "C:\\Program Files(x86)\\"}

## S1-32 the future parser: a lone backslash is itself
#@ language "3.8-future"
notice('C:\Windows\System32', '\d+\.\w', 'it\'s', 'a\\b')
#> C:\Windows\System32 \d+\.\w it's a\b

## S1-33 the future parser: a backslash at the end is doubled
#@ language "3.8-future"
file { 'x': path => 'C:\Program Files(x86)\\' }
#= File[x] {"path": "C:\\Program Files(x86)\\"}

## S1-33 the future parser: a single one takes the quote
#@ language "3.8-future"
$path = 'C:\Program Files(x86)\' #! UNCLOSED_QUOTE "is never closed"

## S1-34 the future parser: a double backslash is written with four
#@ language "3.8-future"
notice('\\\\host\share')
#> \\host\share

## S1-35 double quotes have variables and escapes
$v = 'x'
notice("$v\t${v}")
#>> "x\tx"

## S1-36 a line break in double quotes
notice("one
two" == "one\ntwo", "one
two")
#>> "true one\ntwo"

## S1-37 variables in double quotes
$v = 'world'
notice("hello $v", "$v.", "$v$v")
#> hello world world. worldworld

## S1-38 braces around a name
class apache { $root = '/srv' $vhostdir = 'vhosts' }
include apache
define conf() {
  file { $name: path => "${apache::root}/${apache::vhostdir}/${name}", }
}
conf { 'site': }
#= File[site] {"path": "/srv/vhosts/site"}

## S1-38 what follows is no part of it
$version = 3
notice("${version}rd v${version}")
#> 3rd v3

## S1-39 an expression in braces
#@ facts {"clientcert": "web1.example.com"}
file {'config.yml':
path => '/config.yml',
content => "...
db_remote: ${ $clientcert !~ /^db\d+/ }
...",
ensure => file,
}
#= File[config.yml] {"path": "/config.yml", "content": "...\ndb_remote: true\n...", "ensure": "file"}

## S1-40 most expressions are Booleans or numbers
$n = 3
notice("${ $n > '2' } ${ $n + '2' } ${ 'a' == 'b' }")
#> true 5 false

## S1-41 literals in an expression stand in quotes
notice("${ '1' + '2' } ${ 'a' == 'A' }")
#> 3 true

## S1-41 a bare number is no number there
notice("${ 1 + 2 }") #! RUNTIME_ERROR "The left operand of + is not a number"

## S1-41 a bare word is no text there
$abc = 'variable'
notice("${ abc }")
#> variable

## S1-42 quotes need no escape within braces
$h = { 'a b' => 'spaced', "c" => 'plain' }
notice("${h['a b']} ${h["c"]} ${ 'x' == "x" }")
#> spaced plain true

## S1-43 no calls within braces
notice("${ md5('a') == 'x' }") #! SYNTAX_ERROR "unexpected '('"

## S1-43 not alone either
notice("${ md5('a') }") #! SYNTAX_ERROR "unexpected '('"

## S1-44 an escaped dollar
$v = 'x'
notice("\$v \${v}")
#> $v ${v}

## S1-45 an escaped double quote
notice("say \"hi\"")
#> say "hi"

## S1-46 an escaped single quote
notice("it\'s")
#> it's

## S1-47 an escaped backslash
notice("a\\b \\n")
#> a\b \n

## S1-48 \n
notice("a\nb")
#>> "a\nb"

## S1-49 \r
notice("a\rb")
#>> "a\rb"

## S1-50 \t
notice("a\tb")
#>> "a\tb"

## S1-51 \s
notice("a\sb" == 'a b', "a\sb")
#> true a b

## S1-52 strings over several lines
$single = 'a
  b

c'
$double = "a
  b

c"
notice($single == $double)
notice($single)
#> true
#>> "a\n  b\n\nc"

## S1-53 line breaks of Windows stay
#@ code "notice('a\r\nb')\r\nnotice(\"a\r\nb\")\r\n"
#>> "a\r\nb"
#>> "a\r\nb"

## S1-53 line breaks of Unix stay
#@ code "notice('a\nb')\nnotice(\"a\nb\")\n"
#>> "a\nb"
#>> "a\nb"

## S1-54 a line break of Windows in a file of Unix
#@ code "notice(\"a\\r\\nb\nc\")\n"
#>> "a\r\nb\nc"

## S1-55 a line break of Unix in a file of Windows
#@ code "notice(\"a\\nb\r\nc\")\r\n"
#>> "a\nb\r\nc"

## S1-56 strings are bytes
#@ code "notice('a\udcff\udcfeb')\nnotice(\"caf\udce9 ${x}\")\n"
#>> "a\udcff\udcfeb"
#>> "caf\udce9 "

## S1-56 bytes reach the catalog and compare as they are
#@ code "notify { 'n': message => 'caf\udce9' }\nnotice('caf\udce9' == \"caf\udce9\", 'caf\udce9' == 'café')\n"
#= Notify[n] {"message": {"__bytes": ["Y2Fm6Q=="]}}
#> true false

## S1-56 bytes in comments, titles, keys and modules
#@ modules {"b/manifests/init.pp": {"__bytes": "Y2xhc3MgYiB7CiAgIyD/CiAgJGggPSB7ICfpJyA9PiAn/ycgfQogIG5vdGljZSgkaFsn6SddKQp9Cg=="}}
include b
#>> "\udcff"

## S1-56 no encoding is translated
#@ code "notice('é € 😀')\nnotice(\"é\")\n"
#> é € 😀
#> é

## S1-56 characters that do not print stay
#@ code "notice('a\u0008b\u001b[1m\u0000c')\n"
#>> "a\u0008b\u001b[1m\u0000c"

## S1-57 valid UTF-8 comes whole to the catalog
notify { 'n': message => "Žluťoučký kůň 😀" }
#= Notify[n] {"message": "Žluťoučký kůň 😀"}

## S1-58 a reference tells type and title
file { '/etc/ntp.conf': }
service { 'ntp': subscribe => File['/etc/ntp.conf'], }
#= Service[ntp] {"subscribe": "File[/etc/ntp.conf]"}

## S1-59 the form of a reference
$one = File['/a']
$two = File['/a', '/b']
notice($one, $two)
#> File[/a] File[/a] File[/b]

## S1-59 the bracket is closed
$one = File['/a'
notice($one) #! SYNTAX_ERROR "unexpected 'notice', expected ']'"

## S1-60 every segment has a capital
define concat::fragment() { }
concat::fragment { 'apache_port_header': }
notify { 'n': before => Concat::Fragment['apache_port_header'], }
#= Notify[n] {"before": "Concat::Fragment[apache_port_header]"}

## S1-60 not only the first
define concat::fragment() { }
notify { 'n': before => Concat::fragment['x'] } #! SYNTAX_ERROR "unexpected '::fragment', expected '}'"

## S1-60 not only the last
define concat::fragment() { }
notify { 'n': before => concat::Fragment['x'] } #! SYNTAX_ERROR "unexpected '::Fragment', expected '}'"

## S1-61 a reference to what is declared later
notify { 'early': require => File['/late'] }
file { '/late': }
#= Notify[early] {"require": "File[/late]"}

## S1-62 several titles
file { ['/etc/apache2/httpd.conf', '/etc/apache2/magic', '/etc/apache2/mime.types']: }
notify { 'n':
  require => File['/etc/apache2/httpd.conf', '/etc/apache2/magic', '/etc/apache2/mime.types'],
}
#= Notify[n] {"require": ["File[/etc/apache2/httpd.conf]", "File[/etc/apache2/magic]", "File[/etc/apache2/mime.types]"]}

## S1-63 an array of titles
$my_files = ['/etc/apache2/httpd.conf', '/etc/apache2/magic', '/etc/apache2/mime.types']
file { $my_files: }
notify { 'n': require => File[$my_files] }
#= Notify[n] {"require": ["File[/etc/apache2/httpd.conf]", "File[/etc/apache2/magic]", "File[/etc/apache2/mime.types]"]}

## S1-64 they stand for an array of references
file { ['/a', '/b']: }
notify { 'array': before => [File['/a'], File['/b']] }
notify { 'several': before => File['/a', '/b'] }
#= Notify[array] {"before": ["File[/a]", "File[/b]"]}
#= Notify[several] {"before": ["File[/a]", "File[/b]"]}

## S1-65 on the left of an arrow
file { ['/a', '/b']: }
notify { 'n': }
File['/a', '/b'] -> Notify['n']
#= File[/a] {"before": "Notify[n]"}
#= File[/b] {"before": "Notify[n]"}

## S1-65 on the right of an arrow
package { 'p': }
service { ['s', 't']: }
Package['p'] ~> Service['s', 't']
#= Package[p] {"notify": ["Service[s]", "Service[t]"]}

## S1-66 with a block of attributes
class base { file { ['/a', '/b']: ensure => file } }
class derived inherits base {
  File['/a', '/b'] { mode => '0600' }
}
include derived
#= File[/a] {"ensure": "file", "mode": "0600"}
#= File[/b] {"ensure": "file", "mode": "0600"}

## S1-67 integers and floats
notice(7 + 2, 7 - 2.5, 1.5 * 2, 7 / 2, 7.0 / 2, 7 % 4, 1 << 3, 8 >> 1)
#> 9 4.5 3.0 3 3.5 3 8 4

## S1-68 numbers are text until they are used as numbers
notice('8' * '2.5', 1 == '1', '10' > '9', '3.0' ? { 3 => 'matches', default => 'differs' })
notify { 'n': message => 1 }
notice(0644, 1.50, "${x}0x1F")
#> 20.0 true true matches
#> 0644 1.50 0x1F
#= Notify[n] {"message": "1"}

## S1-69 digits, a minus and a point, with quotes or without
notice(-5 + 2, '-4' * 2, '-0.5' + 1, 3 - -2, "1.5" + 0.25)
#> -3 -8 0.5 5 1.75

## S1-69 other text is no number
$x = 'abc' + 1 #! RUNTIME_ERROR "The left operand of + is not a number"

## S1-69 other ways to write one are none
#@ follow "documents"
$x = 0x1F + 1 #! ILLEGAL_NUMBER "'0x1F'"

## S1-69 nor in quotes
#@ follow "documents"
$x = '0x1F' + 1 #! RUNTIME_ERROR "is not a number"

## S1-69 Puppet itself let hexadecimal and octal numbers pass
notice(0x1F + 010, '0x1F' * 1)
#> 39 31

## S1-70 the example
$some_number = 8 * -7.992
$another_number = $some_number / 4
notice($some_number, $another_number)
#> -63.936 -15.984

## S1-71 no plus sign
$product = 8 * +4 #! SYNTAX_ERROR "unexpected '+'"

## S1-71 without it all is well
$product = 8 * 4
notice($product)
#> 32

## S1-72 no exponents
#@ follow "documents"
$n = 1e3 + 1 #! ILLEGAL_NUMBER "'1e3' is not a valid number"

## S1-72 Puppet itself let them pass
notice(1e3 + 1)
#> 1001.0

## S1-72 nor in quotes
#@ follow "documents"
$x = '1e3' + 1 #! RUNTIME_ERROR "is not a number"

## S1-73 no leading point
$product = 8 * .12 #! SYNTAX_ERROR "unexpected '.'"

## S1-73 a zero leads
$product = 8 * 0.12
notice($product)
#> 0.96

## S1-74 an array
$a = [ 'one', 'two', 'three' ]
notice($a, $a[2])
#> one two three three

## S1-75 a comma may end it
notice([ 'one', 'two', ] == [ 'one', 'two' ])
#> true

## S1-76 items of any kind
$a = ['s', 1, true, undef, { 'k' => 'v' }, ['nested'], File['/x']]
notice($a[0], $a[1] + 1, $a[2], $a[4]['k'], $a[5][0], $a[6], $a[3] == undef)
#> s 2 true v nested File[/x] true

## S1-77 attributes take several values in an array
file { ['/a', '/b']: }
notify { 'n': require => [File['/a'], File['/b']] }
host { 'h': host_aliases => ['x', 'y'] }
#= Notify[n] {"require": ["File[/a]", "File[/b]"]}
#= Host[h] {"host_aliases": ["x", "y"]}

## S1-78 the index of an item
$foo = [ 'one', 'two', 'three' ]
notice( $foo[1] )
notice( $foo[0] )
#> two
#> one

## S1-78 there is nothing outside
$foo = [ 'one' ]
notice("<${foo[5]}>", $foo[5] == undef)
#> <> true

## S1-79 a chain of indexes
$foo = [ 'one', {'second' => 'two', 'third' => 'three'} ]
notice( $foo[1]['third'] )
#> three

## S1-80 indexes from the end
$foo = [ 'one', 'two', 'three', 'four', 'five' ]
notice( $foo[2] )
notice( $foo[-2] )
notice( $foo[-1] )
#> three
#> four
#> five

## S1-81 functions for arrays
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
$a = ['b', 'a', 'b']
$h = hash(['k', 'v'])
notice(delete($a, 'b'), delete_at($a, 1), flatten([['x'], ['y', ['z']]]), grep($a, 'a'), $h['k'])
notice(is_array($a), join($a, '-'), member($a, 'a'), join(prefix($a, 'p'), ','), join(range(1, 3), ','))
notice(join(reverse(['x', 'y']), ','), size(shuffle($a)), size($a), join(sort($a), ','), join(unique($a), ','))
validate_array($a)
notice(join(values_at(['x', 'y', 'z'], [0, 2]), ','), join(flatten(zip(['x', 'y'], ['1', '2'])), ','))
#> a b b x y z a v
#> true b-a-b true pb,pa,pb 1,2,3
#> y,x 3 3 a,b,b b,a
#> x,z x,1,y,2

## S1-81 validate_array
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
validate_array('text') #! RUNTIME_ERROR "is not an Array"

## S1-82 a hash
$h = { key1 => 'val1', key2 => 'val2' }
notice($h[key1], $h['key2'])
#> val1 val2

## S1-83 a comma may end it
$a = { key1 => 'val1', key2 => 'val2' }
$b = { key1 => 'val1', key2 => 'val2', }
notice($a == $b)
#> true

## S1-84 keys are strings
$h = { 1 => 'one', '2' => 'two', three => 'three' }
notice($h[1], $h['1'], $h[2], $h['three'])
#> one one two three

## S1-84 other keys are refused
$h = { true => 'x' } #! SYNTAX_ERROR "unexpected 'true'"

## S1-84 values are of any kind
$h = { 'a' => ['x', 'y'], 'h' => { 'deep' => true }, 'n' => 5, 'u' => undef, 'r' => File['/x'] }
notice($h['a'][1], $h['h']['deep'], $h['n'] + 1, $h['r'], $h['u'] == undef)
#> y true 6 File[/x] true

## S1-85 a member by its key
$myhash = { key => "some value",
other_key => "some other value" }
notice( $myhash[key] )
#> some value

## S1-86 a chain of keys
$main_site = { port => { http => 80,
https => 443 },
vhost_name => 'docs.puppetlabs.com',
server_name => { mirror0 => 'warbler.example.com',
mirror1 => 'egret.example.com' }
}
notice ( $main_site[port][https] )
#> 443

## S1-87 functions for hashes
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
$h = { 'a' => 1, 'b' => 2 }
$merged = merge($h, { 'b' => 3 })
validate_hash($h)
notice(has_key($h, 'a'), is_hash($h), join(keys($h), ','), $merged['b'], join(values($h), ','))
#> true true a,b 3 1,2

## S1-87 validate_hash
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
validate_hash('text') #! RUNTIME_ERROR "is not a Hash"

## S1-88 a variable holds no regular expression
$r = /a/ #! SYNTAX_ERROR "unexpected '/'"

## S1-88 not in an array
$r = ['a', /a/] #! SYNTAX_ERROR

## S1-89 where regular expressions may stand
#@ node "web042.example.com"
#@ facts {"hostname": "web042", "domain": "example.com"}
node /^web\d+/ {
  notice('a' =~ /a/, 'a' !~ /b/, 'db7' ? { /^db/ => 'selector', default => 'no' })
  case 'x1' { /\d/: { notice('case') } default: { notice('no') } }
}
node default { notice('other') }
#> true true selector
#> case

## S1-89 nowhere else
$x = /a/ == 'a' #! SYNTAX_ERROR "unexpected '/'"

## S1-90 not as an argument
notice(/a/) #! SYNTAX_ERROR "unexpected '/'"

## S1-90 not in an attribute
notify { 'n': message => /a/ } #! SYNTAX_ERROR "unexpected '/'"

## S1-90 not in a hash
$h = { 'a' => /a/ } #! SYNTAX_ERROR "unexpected '/'"

## S1-91 regsubst takes it as text
notice(regsubst('192.168.1.5', '^(\d+)\.(\d+)\..*$', '\2.\1'))
#> 168.192

## S1-92 expressions as in Ruby
notice('abc' =~ /\Aa\wc\z/, "a\nb" =~ /^b$/, 'aa' =~ /^(a)\1$/, 'a' =~ /[[:alpha:]]/, 'ab' =~ /(?<!x)b/, 'é' =~ /^.$/)
#> true true true true true true

## S1-93 the example
#@ facts {"host": "www34.example.com"}
if $host =~ /^www(\d+)\./ {
notify { "Welcome web server #$1": }
}
#= Notify[Welcome web server #34] {}

## S1-94 no other quotes
if 'abc' =~ %r{b} { } #! SYNTAX_ERROR "unexpected '%'"

## S1-94 nothing is interpolated
$p = 'b'
notice('abc' =~ /a#{p}c/, 'abc' =~ /a${p}c/, 'a#{p}c' =~ /a#\{p\}c/)
#> false false true

## S1-95 nothing follows the last slash
if 'A' =~ /a/i { } #! SYNTAX_ERROR "unexpected 'i', expected '{'"

## S1-96 options within the expression
#@ facts {"operatingsystem": "Ubuntu"}
$packages = $operatingsystem ? {
/(?i-mx:ubuntu|debian)/ => 'apache2',
/(?i-mx:centos|fedora|redhat)/ => 'httpd',
}
notice($packages)
#> apache2

## S1-96 only for a part of it
notice('aB' =~ /a(?i:b)/, 'AB' =~ /a(?i:b)/, 'Ab' =~ /(?i:a(?-i:b))/, 'AB' =~ /(?i:a(?-i:b))/)
#> true false true false

## S1-97 the option i
notice('ABC' =~ /abc/, 'ABC' =~ /(?i:abc)/)
#> false true

## S1-98 the option m
notice("a\nb" =~ /a.b/, "a\nb" =~ /(?m:a.b)/)
#> false true

## S1-99 the option x
notice('abc' =~ / a b c /, 'abc' =~ /(?x: a b c )/, 'abc' =~ /(?x) a b c # a comment/)
#> false true true

## S1-100 captures in if
if 'node-77-eu' =~ /^(\w+)-(\d+)-(\w+)$/ { notice("$1|$2|${3}") }
#> node|77|eu

## S1-100 captures in a selector
$x = 'web-9' ? { /^(\w+)-(\d)/ => "role $1 number $2", default => 'none' }
notice($x)
#> role web number 9

## S1-100 captures in case
case 'version 3.8' {
  /(\d)\.(\d)/: { notice($1, $2) }
  default: { notice('none') }
}
#> 3 8

## S1-101 the whole match
if 'xaby' =~ /a(b)/ { notice("<$0>", $0) }
#> <ab> ab

## S1-102 there are no captures in node definitions
#@ node "web042.example.com"
#@ facts {"hostname": "web042", "domain": "example.com"}
#@ follow "documents"
node /^web(\d+)/ { notice("<$1><$0>") }
#> <><>

## S1-102 Puppet itself had them
#@ node "web042.example.com"
#@ facts {"hostname": "web042", "domain": "example.com"}
node /^web(\d+)/ { notice("<$1><$0>") }
#> <042><web042>

## S1-103 captures end with their block
if 'abc' =~ /(b)/ { notice("in <$1>") }
notice("out <$1><$0>")
$x = 'abc' ? { /a(.)/ => "in <$1>", default => 'none' }
notice($x, "out <$1>")
case 'abc' { /(c)/: { notice("in <$1>") } default: { } }
notice("out <$1>")
#> in <b>
#> out <><>
#> in <b> out <>
#> in <c>
#> out <>

## S1-104 an inner conditional has its own captures
if 'outer-1' =~ /(\w+)-(\d)/ {
  notice("before $1 $2")
  if 'inner-2' =~ /(in)/ { notice("inside $1 <$2>") }
  notice("after $1 $2")
  case 'xyz' { /(y)/: { notice("case $1") } default: { } }
  $s = 'abc' ? { /(c)/ => "selector $1", default => 'none' }
  notice($s, "after $1 $2")
}
#> before outer 1
#> inside in <>
#> after outer 1
#> case y
#> selector c after outer 1

## S1-104 one that does not match leaves them
if 'outer-1' =~ /(\w+)-(\d)/ {
  if 'x' =~ /(y)/ { notice('no') } else { notice("else $1") }
  notice("after $1")
}
#> else outer
#> after outer

## S1-105 other variables have no scope in a conditional
if 'abc' =~ /(b)/ {
  $kept = $1
}
notice("<$kept> <$1>")
#> <b> <>
