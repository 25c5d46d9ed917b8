class a { notify { 'a1': } notify { 'a2': } Notify['a1'] -> Notify['a2'] }
class b { contain c notify { 'b1': } }
class c { notify { 'c1': } d { 'in c': } }
define d ($n = 2) { Integer[1, $n].each |$i| { notify { "${title} ${i}": } } }
class e { require a notify { 'e1': } }
include a, b, e
Class['a'] -> Class['b'] ~> D['last']
d { 'last': n => 1 }
notify { 'x': } -> notify { ['y', 'z']: } ~> d { 'tail': }
notify { 'm': before => [Notify['x'], Class['a']], notify => D['last'] }
Notify <| title == 'm' |> <- Notify['q']
notify { 'q': }
[Notify['x'], Notify['q']] -> [D['tail'], Notify['e1']]
# An arrow from one of several titles adds its target to the array that they share.
define s { }
class s1 { S { before => [Notify['x']] } s { 'default1': } s { 'default2': } }
class s2 { } class s3 { }
$targets = [Notify['x']]
include s1
s { ['title1', 'title2']: before => [Notify['x'], Notify['y']] }
s { default: before => $targets; 'body1': ; 'body2': }
s { ['splat1', 'splat2']: * => { before => $targets } }
s { ['text1', 'text2']: before => Notify['x'] }
s { ['override1', 'override2']: }
S['override1', 'override2'] { notify => [Notify['x']] }
@s { ['collect1', 'collect2']: }
S <| title == 'collect1' or title == 'collect2' |> { before => $targets }
s { 'own1': before => $targets }
s { 'own2': before => $targets }
create_resources('s', { 'both1' => {}, 'both2' => {} }, { before => $targets })
create_resources('s', { 'each1' => { before => $targets }, 'each2' => { before => $targets } })
class { ['s2', 's3']: before => [Notify['x']] }
['default1', 'title1', 'body1', 'splat1', 'text1', 'collect1', 'own1', 'both1', 'each1'].each |$title| {
  S[$title] -> Notify['z']
}
S['title2'] -> Class['a']
S['override1'] ~> Notify['z']
Class['s2'] -> Notify['z']
