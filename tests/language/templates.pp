# EPP: B89 to B94.

## B89 parameters
$t = '<%- | String $x, $y = 3 | -%>
<%= $x %>-<%= $y %>'
assert(inline_epp($t, { x => 'a' }) == 'a-3')
assert(inline_epp($t, { x => 'a', 'y' => 4 }) == 'a-4')

## B89 a missing parameter
$x = inline_epp('<%- | $a | -%><%= $a %>') #! RUNTIME_ERROR

## B89 an unknown parameter
$x = inline_epp('<%- | $a = 1 | -%><%= $a %>', { b => 2 }) #! RUNTIME_ERROR

## B89 a parameter of the wrong type
$x = inline_epp('<%- | Integer $a | -%><%= $a %>', { a => 'b' }) #! RUNTIME_ERROR

## B90 values are rendered
$v = 'V'
assert(inline_epp('a<%= $v %>b') == 'aVb')
assert(inline_epp('<%= [1, 2] %> <%= undef %>|<%= 1.5 %>') == '[1, 2] |1.5')
assert(inline_epp('<%= if true { "yes" } %>') == 'yes')

## B90 a hyphen trims what follows
assert(inline_epp("a<%= 1 -%>  \nb") == 'a1b')
assert(inline_epp("a<%= 1 %>  \nb") == "a1  \nb")

## B91 code
assert(inline_epp('<% $x = 2 %>x is <%= $x %>') == 'x is 2')
assert(inline_epp('<% [1, 2].each |$i| { %>i=<%= $i %>;<% } %>') == 'i=1;i=2;')
assert(inline_epp('<% if true { %>yes<% } else { %>no<% } %>') == 'yes')

## B91 a hyphen trims what stands before
assert(inline_epp("a\n  <%- \$x = 1 -%>\nb") == "a\nb")

## B92 comments and escapes
assert(inline_epp('a<%# no %>b') == 'ab')
assert(inline_epp("a<%# no -%>\nb") == 'ab')
assert(inline_epp('<%% x %%>') == '<% x %>')

## B93 without parameters the surroundings are seen
class k { $local = 'L' notify { inline_epp('<%= $local %>'): } }
include k
#= Notify[L] {}

## B93 with parameters and a hash the surroundings are seen too
$top = 'T'
class k {
  $local = 'L'
  $match = 'foo' =~ /f(o)o/
  notify { inline_epp('<%- | $a, $b = $local, $c = $1 | -%><%= "${a}${b}${c}${local}${top}" %>', { a => 'A' }): }
  notify { inline_epp('<%= "${a}${1}${local}" %>', { a => 'B' }): }
}
include k
#= Notify[ALoLT] {}
#= Notify[BoL] {}

## B93 files of templates
#@ file m/manifests/init.pp | class m { $local = 'L' notify { epp('m/t.epp', { who => 'you' }).chomp: } }
#@ file m/templates/t.epp | <%- | String $who | -%>
#@ file m/templates/t.epp | Hello <%= $who %>
include m
#= Notify[Hello you] {}

## B93 a template that is not there
$x = epp('nosuch/t.epp') #! RUNTIME_ERROR "nosuch/t.epp"

## B94 an open tag
$x = inline_epp('a <% b') #! RUNTIME_ERROR "EPP"

## B94 an open comment
$x = inline_epp('a <%# b') #! RUNTIME_ERROR "EPP"

## B94 parameters stand first
$x = inline_epp('a <% | $x | %>') #! RUNTIME_ERROR "EPP"

## B91 blocks within blocks
$t = @(END)
  <% $hosts.each |$h| { -%>
  host <%= $h['name'] %>
  <% $h['ports'].each |$p| { -%>
    port <%= $p %>
  <% } -%>
  <% } -%>
  | END
$hosts = [{ name => 'a', ports => [1, 2] }, { name => 'b', ports => [] }]
assert(inline_epp($t) == "host a\n  port 1\n  port 2\nhost b\n")

## statements of a template file run in the top scope, with its resource defaults, tags and container
#@ file m/templates/t.epp | <% notify { inner: } contain foo notice('inner') %>
#= Notify[inner] {}
#= Notify[in_foo] {}
#= Notify[outer] {"message": "default"}
class foo { notify { in_foo: } }
class c {
  Notify { message => 'default' }
  notify { outer: }
  $text = epp('m/t.epp')
  notice(tagged('foo'))  #> inner
}                        #> false
include c

## statements of inline EPP run in the scope of the caller
#= Notify[inner] {"message": "default"}
class c {
  Notify { message => 'default' }
  $text = inline_epp('<%- |$x| -%><% notify { $x: } %>', { x => 'inner' })
}
include c

## an EPP parameter that the template lacks is ignored if it is undef
#@ file m/templates/t.epp | <%- | String $a | -%>a=<%= $a %>
notice(epp('m/t.epp', { a => 's', nosuch => undef }).strip)
notice(inline_epp('<%- | | -%>x', { nosuch => undef }))
notice(inline_epp('<%- | $a = 1 | -%><%= $a %>', { a => undef, nosuch => undef }))
notice(epp('m/t.epp', { a => 's', nosuch => false })) #! RUNTIME_ERROR "has no parameter named 'nosuch'"
#> a=s
#> x
#> 1

## an EPP parameter without a default is undef if it was given as undef
notice(inline_epp('<%- | $a | -%>a<%= $a %>', { a => undef }))
notice(inline_epp('<%- | String $a | -%>a', { a => undef })) #! RUNTIME_ERROR "parameter 'a' expects a String"
#> a

## a default of EPP reads all values of the call
notice(inline_epp('<%- | $a = $b, $b | -%><%= $a %>', { b => 3 }))
notice(inline_epp('<%- | $a = $b, $b = 1 | -%><%= $a %>')) #! RUNTIME_ERROR "illegally accesses $b"
#> 3

## a default of EPP that reads a missing parameter
notice(inline_epp('<%- | $a, $b = $a | -%><%= $b %>')) #! RUNTIME_ERROR "expects a value for parameter $a"

## a byte order mark is no part of a file or template
#@ modules {"m/files/a.txt": "\ufeffx", "m/templates/t.erb": "\ufeffy<%= 1 %>", "m/templates/u.erb": "\ufeffz", "m/templates/w.erb": "\ufeff<% module Late; end %>w"}
notice(file('m/a.txt'), template('m/t.erb'), template('m/u.erb'), template('m/w.erb'))
#> x y1 z w
