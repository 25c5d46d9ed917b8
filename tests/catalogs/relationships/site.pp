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
