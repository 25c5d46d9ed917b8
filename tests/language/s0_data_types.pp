# The statements S0-1 to S0-103 of the text "Language: Data Types" (Puppet 3.0), each in a case of its name.
#@ language "3.0"

## S0-1 what a variable may hold, an attribute and an argument
$values = [true, undef, 'text', File['/a'], 1, ['item'], { 'key' => 'value' }]
$reference = File['/a']
notify { 'n': message => $values[4], require => $values[3], tag => $values[5] }
file { '/a': }
notice($values[0], $values[2], $reference, $values[4], $values[5], $values[6]['key'])
#> true text File[/a] 1 item value
#= Notify[n] {"message": "1", "require": "File[/a]", "tag": "item"}

## S0-2 two Booleans
$a = true
$b = false
notice($a, $b, $a == true, $b == false, $a == $b)
#> true false true true false

## S0-2 in quotes they are text
notice('true' == true, "false" == false, 'false' == 'false')
#> false false true

## S0-3 the condition of if
$condition = false
if true { notice('yes') } else { notice('no') }
if $condition { notice('yes') } else { notice('no') }
#> yes
#> no

## S0-4 comparisons return Booleans
$equal = 'a' == 'a'
$greater = 3 > 5
notice($equal == true, $greater == false, 1 != 2, 1 < 2, 2 <= 1, 2 >= 1, 'b' in 'abc', 'a' =~ /a/, 'a' !~ /a/)
#> true true true true false true true true false

## S0-4 functions too
notice(defined('file') == true, tagged('nowhere') == false)
#> true true

## S0-5 other values become Booleans where one is wanted
if 'text' and 1 and ! undef { notice('yes') }
unless undef { notice('unless') }
notice(! 'text', 'a' and 'b', undef or '')
#> yes
#> unless
#> false true false

## S0-6 an empty string is false
if '' { notice('true') } else { notice('false') }
if "" { notice('true') } else { notice('false') }
#> false
#> false

## S0-7 any other string is true
if 'false' { notice('quoted false') }
if ' ' { notice('space') }
if '0' { notice('zero') }
#> quoted false
#> space
#> zero

## S0-8 all facts are strings
#@ facts {"is_virtual": false, "cores": 4}
if $is_virtual { notice('true') }
notice($is_virtual == 'false', $is_virtual == false, $cores == '4')
#> true
#> true false true

## S0-9 str2bool is more intelligent
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
notice(str2bool('false'), str2bool('no'), str2bool('true'), str2bool(''))
#> false false true false

## S0-10 all numbers are true
if 0 and -1 and 0.0 and 7 { notice('true') }
#> true

## S0-11 num2bool is more intelligent
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
notice(num2bool(0), num2bool(1), num2bool('-1'))
#> false true false

## S0-12 undef is false
$nothing = undef
if undef { notice('true') } else { notice('false') }
if $nothing { notice('true') } else { notice('false') }
#> false
#> false

## S0-13 arrays are true
$empty = []
if $empty { notice('empty') }
if ['a'] { notice('full') }
#> empty
#> full

## S0-14 hashes are true
$empty = {}
$full = { 'a' => 1 }
if $empty { notice('empty') }
if $full { notice('full') }
#> empty
#> full

## S0-15 references are true
if File['/declared'] { notice('declared') }
if File['/later'] { notice('later') }
if File['/never'] { notice('never') }
if Nosuchtype['x'] { notice('no type') }
file { '/later': }
#> declared
#> later
#> never
#> no type

## S0-16 a regular expression is no Boolean
if /a/ { } #! SYNTAX_ERROR "unexpected '/'"

## S0-17 what was never declared is undef
notice($never == undef, "<${never}>")
if $never { notice('true') } else { notice('false') }
#> true <>
#> false

## S0-18 undef is a bare word
$nothing = undef
$word = 'undef'
notice($nothing == undef, $word == undef, "<${nothing}>", "<${word}>")
#> true false <> <undef>

## S0-19 undef tells whether a variable has been set
define d($given = undef) {
  if $given == undef { notice("${title}: not set") } else { notice("${title}: ${given}") }
}
d { 'a': }
d { 'b': given => 'x' }
#> a: not set
#> b: x

## S0-20 undef takes away what a default gave
File { mode => '0644', owner => 'root' }
file { '/kept': ensure => file }
file { '/unset': ensure => file, mode => undef }
#= File[/kept] {"ensure": "file", "mode": "0644", "owner": "root"}
#= File[/unset] {"ensure": "file", "owner": "root"}

## S0-21 a string may have quotes, or none
notice(text == 'text', 'text' == "text", '')
#> true true 

## S0-21 strings are of any length
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
$ten = 'abcdefghij'
$thousand = "${ten}${ten}${ten}${ten}${ten}${ten}${ten}${ten}${ten}${ten}"
$long = "${thousand}${thousand}${thousand}${thousand}${thousand}${thousand}${thousand}${thousand}"
notice(size($long))
#> 800

## S0-22 single quotes where nothing is interpolated, else double quotes
$name_of_it = 'x'
notice('plain' == "plain", '$name_of_it', "$name_of_it")
#> true $name_of_it x

## S0-23 bare words are strings
$state = running
notice(present, $state, $state == 'running', [red, dark-blue])
#> present running true red dark-blue

## S0-24 a bare word is not a reserved word
$x = case #! SYNTAX_ERROR "unexpected 'case'"

## S0-24 not as an argument either
notice(if) #! SYNTAX_ERROR "unexpected 'if'"

## S0-25 a bare word begins with a letter
notice(Enforcing, abc, read-only, x86_64, a1-b_2)
#> Enforcing abc read-only x86_64 a1-b_2

## S0-25 it has no dots
notice(www.example.com) #! SYNTAX_ERROR "unexpected '.', expected ')'"

## S0-25 it begins with no underscore
notice(_word) #! SYNTAX_ERROR "unexpected '_word)'"

## S0-25 it begins with no digit
#@ follow "documents"
notice(2nd) #! ILLEGAL_NUMBER "'2nd' is not a valid number"

## S0-25 Puppet itself let a digit pass
notice(2nd)
#> 2nd

## S0-26 bare words in attributes
file { '/a': ensure => directory }
service { 'ntp': ensure => running }
#= File[/a] {"ensure": "directory"}
#= Service[ntp] {"ensure": "running"}

## S0-27 nothing is interpolated in single quotes
$v = 'x'
notice('$v ${v} ${ $v }')
#> $v ${v} ${ $v }

## S0-28 the escapes of single quotes
notice('it\'s', 'a\\b', 'a\nb\tc\$d\"e')
#> it's a\b a\nb\tc\$d\"e

## S0-29 a line break in single quotes
notice('one
two')
#>> "one\ntwo"

## S0-30 a lone backslash is itself
notice('C:\Windows\System32', '\d+\.\w')
#> C:\Windows\System32 \d+\.\w

## S0-31 a backslash at the end is doubled
file { 'x': path => 'C:\Program Files(x86)\\' }
#= File[x] {"path": "C:\\Program Files(x86)\\"}

## S0-31 a single one takes the quote
$path = 'C:\Program Files(x86)\' #! UNCLOSED_QUOTE "is never closed"

## S0-32 a double backslash is written with four
notice('\\\\host\share')
#> \\host\share

## S0-33 double quotes have variables and escapes
$v = 'x'
notice("$v\t${v}")
#>> "x\tx"

## S0-34 a line break in double quotes
notice("one
two" == "one\ntwo", "one
two")
#>> "true one\ntwo"

## S0-35 variables in double quotes
$v = 'world'
notice("hello $v", "$v.", "$v$v")
#> hello world world. worldworld

## S0-36 braces around a name
class apache { $root = '/srv' $vhostdir = 'vhosts' }
include apache
define conf() {
  file { $name: path => "${apache::root}/${apache::vhostdir}/${name}", }
}
conf { 'site': }
#= File[site] {"path": "/srv/vhosts/site"}

## S0-36 what follows is no part of it
$version = 3
notice("${version}rd v${version}")
#> 3rd v3

## S0-37 an expression in braces
#@ facts {"clientcert": "web1.example.com"}
file {'config.yml':
path => '/config.yml',
content => "...
db_remote: ${ $clientcert !~ /^db\d+/ }
...",
ensure => file,
}
#= File[config.yml] {"path": "/config.yml", "content": "...\ndb_remote: true\n...", "ensure": "file"}

## S0-38 most expressions are Booleans or numbers
$n = 3
notice("${ $n > '2' } ${ $n + '2' } ${ 'a' == 'b' }")
#> true 5 false

## S0-39 literals in an expression stand in quotes
notice("${ '1' + '2' } ${ 'a' == 'A' }")
#> 3 true

## S0-39 a bare number is no number there
notice("${ 1 + 2 }") #! RUNTIME_ERROR "The left operand of + is not a number"

## S0-39 a bare word is no text there
$abc = 'variable'
notice("${ abc }")
#> variable

## S0-40 quotes need no escape within braces
$h = { 'a b' => 'spaced', "c" => 'plain' }
notice("${h['a b']} ${h["c"]} ${ 'x' == "x" }")
#> spaced plain true

## S0-41 no calls within braces
notice("${ md5('a') == 'x' }") #! SYNTAX_ERROR "unexpected '('"

## S0-41 not alone either
notice("${ md5('a') }") #! SYNTAX_ERROR "unexpected '('"

## S0-42 an escaped dollar
$v = 'x'
notice("\$v \${v}")
#> $v ${v}

## S0-43 an escaped double quote
notice("say \"hi\"")
#> say "hi"

## S0-44 an escaped single quote
notice("it\'s")
#> it's

## S0-45 an escaped backslash
notice("a\\b \\n")
#> a\b \n

## S0-46 \n
notice("a\nb")
#>> "a\nb"

## S0-47 \r
notice("a\rb")
#>> "a\rb"

## S0-48 \t
notice("a\tb")
#>> "a\tb"

## S0-49 \s
notice("a\sb" == 'a b', "a\sb")
#> true a b

## S0-50 strings over several lines
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

## S0-51 line breaks of Windows stay
#@ code "notice('a\r\nb')\r\nnotice(\"a\r\nb\")\r\n"
#>> "a\r\nb"
#>> "a\r\nb"

## S0-51 line breaks of Unix stay
#@ code "notice('a\nb')\nnotice(\"a\nb\")\n"
#>> "a\nb"
#>> "a\nb"

## S0-52 a line break of Windows in a file of Unix
#@ code "notice(\"a\\r\\nb\nc\")\n"
#>> "a\r\nb\nc"

## S0-53 a line break of Unix in a file of Windows
#@ code "notice(\"a\\nb\r\nc\")\r\n"
#>> "a\nb\r\nc"

## S0-54 strings are bytes
#@ code "notice('a\udcff\udcfeb')\nnotice(\"caf\udce9 ${x}\")\n"
#>> "a\udcff\udcfeb"
#>> "caf\udce9 "

## S0-54 bytes reach the catalog and compare as they are
#@ code "notify { 'n': message => 'caf\udce9' }\nnotice('caf\udce9' == \"caf\udce9\", 'caf\udce9' == 'café')\n"
#= Notify[n] {"message": {"__bytes": ["Y2Fm6Q=="]}}
#> true false

## S0-54 bytes in comments, titles, keys and modules
#@ modules {"b/manifests/init.pp": {"__bytes": "Y2xhc3MgYiB7CiAgIyD/CiAgJGggPSB7ICfpJyA9PiAn/ycgfQogIG5vdGljZSgkaFsn6SddKQp9Cg=="}}
include b
#>> "\udcff"

## S0-54 no encoding is translated
#@ code "notice('é € 😀')\nnotice(\"é\")\n"
#> é € 😀
#> é

## S0-54 characters that do not print stay
#@ code "notice('a\u0008b\u001b[1m\u0000c')\n"
#>> "a\u0008b\u001b[1m\u0000c"

## S0-55 valid UTF-8 comes whole to the catalog
notify { 'n': message => "Žluťoučký kůň 😀" }
#= Notify[n] {"message": "Žluťoučký kůň 😀"}

## S0-56 a reference tells type and title
file { '/etc/ntp.conf': }
service { 'ntp': subscribe => File['/etc/ntp.conf'], }
#= Service[ntp] {"subscribe": "File[/etc/ntp.conf]"}

## S0-57 the form of a reference
$one = File['/a']
$two = File['/a', '/b']
notice($one, $two)
#> File[/a] File[/a] File[/b]

## S0-57 the bracket is closed
$one = File['/a'
notice($one) #! SYNTAX_ERROR "unexpected 'notice', expected ']'"

## S0-58 every segment has a capital
define concat::fragment() { }
concat::fragment { 'apache_port_header': }
notify { 'n': before => Concat::Fragment['apache_port_header'], }
#= Notify[n] {"before": "Concat::Fragment[apache_port_header]"}

## S0-58 not only the first
define concat::fragment() { }
notify { 'n': before => Concat::fragment['x'] } #! SYNTAX_ERROR "unexpected '::fragment', expected '}'"

## S0-58 not only the last
define concat::fragment() { }
notify { 'n': before => concat::Fragment['x'] } #! SYNTAX_ERROR "unexpected '::Fragment', expected '}'"

## S0-59 a reference to what is declared later
notify { 'early': require => File['/late'] }
file { '/late': }
#= Notify[early] {"require": "File[/late]"}

## S0-60 several titles
file { ['/etc/apache2/httpd.conf', '/etc/apache2/magic', '/etc/apache2/mime.types']: }
notify { 'n':
  require => File['/etc/apache2/httpd.conf', '/etc/apache2/magic', '/etc/apache2/mime.types'],
}
#= Notify[n] {"require": ["File[/etc/apache2/httpd.conf]", "File[/etc/apache2/magic]", "File[/etc/apache2/mime.types]"]}

## S0-61 an array of titles
$my_files = ['/etc/apache2/httpd.conf', '/etc/apache2/magic', '/etc/apache2/mime.types']
file { $my_files: }
notify { 'n': require => File[$my_files] }
#= Notify[n] {"require": ["File[/etc/apache2/httpd.conf]", "File[/etc/apache2/magic]", "File[/etc/apache2/mime.types]"]}

## S0-62 they stand for an array of references
file { ['/a', '/b']: }
notify { 'array': before => [File['/a'], File['/b']] }
notify { 'several': before => File['/a', '/b'] }
#= Notify[array] {"before": ["File[/a]", "File[/b]"]}
#= Notify[several] {"before": ["File[/a]", "File[/b]"]}

## S0-63 on the left of an arrow
file { ['/a', '/b']: }
notify { 'n': }
File['/a', '/b'] -> Notify['n']
#= File[/a] {"before": "Notify[n]"}
#= File[/b] {"before": "Notify[n]"}

## S0-63 on the right of an arrow
package { 'p': }
service { ['s', 't']: }
Package['p'] ~> Service['s', 't']
#= Package[p] {"notify": ["Service[s]", "Service[t]"]}

## S0-64 with a block of attributes
class base { file { ['/a', '/b']: ensure => file } }
class derived inherits base {
  File['/a', '/b'] { mode => '0600' }
}
include derived
#= File[/a] {"ensure": "file", "mode": "0600"}
#= File[/b] {"ensure": "file", "mode": "0600"}

## S0-65 integers and floats
notice(7 + 2, 7 - 2.5, 1.5 * 2, 7 / 2, 7.0 / 2, 7 % 4, 1 << 3, 8 >> 1)
#> 9 4.5 3.0 3 3.5 3 8 4

## S0-66 numbers are text until they are used as numbers
notice('8' * '2.5', 1 == '1', '10' > '9', '3.0' ? { 3 => 'matches', default => 'differs' })
notify { 'n': message => 1 }
notice(0644, 1.50, "${x}0x1F")
#> 20.0 true true matches
#> 0644 1.50 0x1F
#= Notify[n] {"message": "1"}

## S0-67 digits, a minus and a point, with quotes or without
notice(-5 + 2, '-4' * 2, '-0.5' + 1, 3 - -2, "1.5" + 0.25)
#> -3 -8 0.5 5 1.75

## S0-67 other text is no number
$x = 'abc' + 1 #! RUNTIME_ERROR "The left operand of + is not a number"

## S0-67 other ways to write one are none
#@ follow "documents"
$x = 0x1F + 1 #! ILLEGAL_NUMBER "'0x1F'"

## S0-67 nor in quotes
#@ follow "documents"
$x = '0x1F' + 1 #! RUNTIME_ERROR "is not a number"

## S0-67 Puppet itself let hexadecimal and octal numbers pass
notice(0x1F + 010, '0x1F' * 1)
#> 39 31

## S0-68 the example
$some_number = 8 * -7.992
$another_number = $some_number / 4
notice($some_number, $another_number)
#> -63.936 -15.984

## S0-69 no plus sign
$product = 8 * +4 #! SYNTAX_ERROR "unexpected '+'"

## S0-69 without it all is well
$product = 8 * 4
notice($product)
#> 32

## S0-70 no exponents
#@ follow "documents"
$n = 1e3 + 1 #! ILLEGAL_NUMBER "'1e3' is not a valid number"

## S0-70 Puppet itself let them pass
notice(1e3 + 1)
#> 1001.0

## S0-70 nor in quotes
#@ follow "documents"
$x = '1e3' + 1 #! RUNTIME_ERROR "is not a number"

## S0-71 no leading point
$product = 8 * .12 #! SYNTAX_ERROR "unexpected '.'"

## S0-71 a zero leads
$product = 8 * 0.12
notice($product)
#> 0.96

## S0-72 an array
$a = [ 'one', 'two', 'three' ]
notice($a, $a[2])
#> one two three three

## S0-73 a comma may end it
notice([ 'one', 'two', ] == [ 'one', 'two' ])
#> true

## S0-74 items of any kind
$a = ['s', 1, true, undef, { 'k' => 'v' }, ['nested'], File['/x']]
notice($a[0], $a[1] + 1, $a[2], $a[4]['k'], $a[5][0], $a[6], $a[3] == undef)
#> s 2 true v nested File[/x] true

## S0-75 attributes take several values in an array
file { ['/a', '/b']: }
notify { 'n': require => [File['/a'], File['/b']] }
host { 'h': host_aliases => ['x', 'y'] }
#= Notify[n] {"require": ["File[/a]", "File[/b]"]}
#= Host[h] {"host_aliases": ["x", "y"]}

## S0-76 the index of an item
$foo = [ 'one', 'two', 'three' ]
notice( $foo[1] )
notice( $foo[0] )
#> two
#> one

## S0-76 there is nothing outside
$foo = [ 'one' ]
notice("<${foo[5]}>", $foo[5] == undef)
#> <> true

## S0-77 a chain of indexes
$foo = [ 'one', {'second' => 'two', 'third' => 'three'} ]
notice( $foo[1]['third'] )
#> three

## S0-78 indexes from the end
$foo = [ 'one', 'two', 'three', 'four', 'five' ]
notice( $foo[2] )
notice( $foo[-2] )
notice( $foo[-1] )
#> three
#> four
#> five

## S0-79 functions for arrays
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

## S0-79 validate_array
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
validate_array('text') #! RUNTIME_ERROR "is not an Array"

## S0-80 a hash
$h = { key1 => 'val1', key2 => 'val2' }
notice($h[key1], $h['key2'])
#> val1 val2

## S0-81 a comma may end it
$a = { key1 => 'val1', key2 => 'val2' }
$b = { key1 => 'val1', key2 => 'val2', }
notice($a == $b)
#> true

## S0-82 keys are strings
$h = { 1 => 'one', '2' => 'two', three => 'three' }
notice($h[1], $h['1'], $h[2], $h['three'])
#> one one two three

## S0-82 other keys are refused
$h = { true => 'x' } #! SYNTAX_ERROR "unexpected 'true'"

## S0-82 values are of any kind
$h = { 'a' => ['x', 'y'], 'h' => { 'deep' => true }, 'n' => 5, 'u' => undef, 'r' => File['/x'] }
notice($h['a'][1], $h['h']['deep'], $h['n'] + 1, $h['r'], $h['u'] == undef)
#> y true 6 File[/x] true

## S0-83 a member by its key
$myhash = { key => "some value",
other_key => "some other value" }
notice( $myhash[key] )
#> some value

## S0-84 a chain of keys
$main_site = { port => { http => 80,
https => 443 },
vhost_name => 'docs.puppetlabs.com',
server_name => { mirror0 => 'warbler.example.com',
mirror1 => 'egret.example.com' }
}
notice ( $main_site[port][https] )
#> 443

## S0-85 functions for hashes
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
$h = { 'a' => 1, 'b' => 2 }
$merged = merge($h, { 'b' => 3 })
validate_hash($h)
notice(has_key($h, 'a'), is_hash($h), join(keys($h), ','), $merged['b'], join(values($h), ','))
#> true true a,b 3 1,2

## S0-85 validate_hash
#@ file stdlib/Modulefile | name 'puppetlabs-stdlib'
#@ file stdlib/Modulefile | version '4.2.0'
validate_hash('text') #! RUNTIME_ERROR "is not a Hash"

## S0-86 a variable holds no regular expression
$r = /a/ #! SYNTAX_ERROR "unexpected '/'"

## S0-86 not in an array
$r = ['a', /a/] #! SYNTAX_ERROR

## S0-87 where regular expressions may stand
#@ node "web042.example.com"
#@ facts {"hostname": "web042", "domain": "example.com"}
node /^web\d+/ {
  notice('a' =~ /a/, 'a' !~ /b/, 'db7' ? { /^db/ => 'selector', default => 'no' })
  case 'x1' { /\d/: { notice('case') } default: { notice('no') } }
}
node default { notice('other') }
#> true true selector
#> case

## S0-87 nowhere else
$x = /a/ == 'a' #! SYNTAX_ERROR "unexpected '/'"

## S0-88 not as an argument
notice(/a/) #! SYNTAX_ERROR "unexpected '/'"

## S0-88 not in an attribute
notify { 'n': message => /a/ } #! SYNTAX_ERROR "unexpected '/'"

## S0-88 not in a hash
$h = { 'a' => /a/ } #! SYNTAX_ERROR "unexpected '/'"

## S0-89 regsubst takes it as text
notice(regsubst('192.168.1.5', '^(\d+)\.(\d+)\..*$', '\2.\1'))
#> 168.192

## S0-90 expressions as in Ruby
notice('abc' =~ /\Aa\wc\z/, "a\nb" =~ /^b$/, 'aa' =~ /^(a)\1$/, 'a' =~ /[[:alpha:]]/, 'ab' =~ /(?<!x)b/, 'é' =~ /^.$/)
#> true true true true true true

## S0-91 the example
#@ facts {"host": "www34.example.com"}
if $host =~ /^www(\d+)\./ {
notify { "Welcome web server #$1": }
}
#= Notify[Welcome web server #34] {}

## S0-92 no other quotes
if 'abc' =~ %r{b} { } #! SYNTAX_ERROR "unexpected '%'"

## S0-92 nothing is interpolated
$p = 'b'
notice('abc' =~ /a#{p}c/, 'abc' =~ /a${p}c/, 'a#{p}c' =~ /a#\{p\}c/)
#> false false true

## S0-93 nothing follows the last slash
if 'A' =~ /a/i { } #! SYNTAX_ERROR "unexpected 'i', expected '{'"

## S0-94 options within the expression
#@ facts {"operatingsystem": "Ubuntu"}
$packages = $operatingsystem ? {
/(?i-mx:ubuntu|debian)/ => 'apache2',
/(?i-mx:centos|fedora|redhat)/ => 'httpd',
}
notice($packages)
#> apache2

## S0-94 only for a part of it
notice('aB' =~ /a(?i:b)/, 'AB' =~ /a(?i:b)/, 'Ab' =~ /(?i:a(?-i:b))/, 'AB' =~ /(?i:a(?-i:b))/)
#> true false true false

## S0-95 the option i
notice('ABC' =~ /abc/, 'ABC' =~ /(?i:abc)/)
#> false true

## S0-96 the option m
notice("a\nb" =~ /a.b/, "a\nb" =~ /(?m:a.b)/)
#> false true

## S0-97 the option x
notice('abc' =~ / a b c /, 'abc' =~ /(?x: a b c )/, 'abc' =~ /(?x) a b c # a comment/)
#> false true true

## S0-98 captures in if
if 'node-77-eu' =~ /^(\w+)-(\d+)-(\w+)$/ { notice("$1|$2|${3}") }
#> node|77|eu

## S0-98 captures in a selector
$x = 'web-9' ? { /^(\w+)-(\d)/ => "role $1 number $2", default => 'none' }
notice($x)
#> role web number 9

## S0-98 captures in case
case 'version 3.8' {
  /(\d)\.(\d)/: { notice($1, $2) }
  default: { notice('none') }
}
#> 3 8

## S0-99 the whole match
if 'xaby' =~ /a(b)/ { notice("<$0>", $0) }
#> <ab> ab

## S0-100 there are no captures in node definitions
#@ node "web042.example.com"
#@ facts {"hostname": "web042", "domain": "example.com"}
#@ follow "documents"
node /^web(\d+)/ { notice("<$1><$0>") }
#> <><>

## S0-100 Puppet itself had them
#@ node "web042.example.com"
#@ facts {"hostname": "web042", "domain": "example.com"}
node /^web(\d+)/ { notice("<$1><$0>") }
#> <042><web042>

## S0-101 captures end with their block
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

## S0-102 an inner conditional has its own captures
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

## S0-102 one that does not match leaves them
if 'outer-1' =~ /(\w+)-(\d)/ {
  if 'x' =~ /(y)/ { notice('no') } else { notice("else $1") }
  notice("after $1")
}
#> else outer
#> after outer

## S0-103 other variables have no scope in a conditional
if 'abc' =~ /(b)/ {
  $kept = $1
}
notice("<$kept> <$1>")
#> <b> <>
