notify { 'deferred': message => Deferred('sprintf', ['%s', Deferred('upcase', ['x'])]) }
notify { 'sensitive': message => Sensitive('secret') }
notify { 'kinds': message => [1, 1.5, true, undef, 'text', default, /re/, SemVer('1.2.3'), Timespan('0-01:00:00'), Binary('aGVsbG8='), URI('http://x.y/z')] }
notify { 'hash': message => { 'a' => { 1 => 'one', 'two' => [2] }, 'undef' => undef, 'types' => [Integer[1, 2], String, Array[String]] } }
notify { 'references': message => [File['/a'], Class['k'], Notify['hash']] }
class k ($s = Sensitive('inner'), $t = Integer) { notify { "type ${t}": message => $s } }
include k
define d (Sensitive[String] $s, Type $t = String) { notify { "d ${name}": message => $s.unwrap.length } }
d { 'x': s => Sensitive('abc'), t => Enum['a', 'b'] }
