# Deferred and Sensitive values, rich data in parameters: B104, B105; tasks: B97 to B99.

## B104 sensitive values
$s = Sensitive('secret')
assert("${s}" == 'Sensitive [value redacted]')
assert($s.unwrap == 'secret')
assert($s.unwrap |$x| { $x.upcase } == 'SECRET')
assert(Sensitive('a') == Sensitive('a'))
assert(Sensitive(Sensitive('a')).unwrap == 'a')

## B104 sensitive parameters
notify { 'n': message => Sensitive('secret') }
#= Notify[n] {"message": "secret"}

## B104 deferred values
notify { 'n': message => Deferred('upcase', ['x']) }
#= Notify[n] {"message": {"__ptype": "Deferred", "name": "upcase", "arguments": ["x"]}}

## B104 deferred values within values
notify { 'n': message => [Deferred('f'), { 'k' => Deferred('g', [1]) }] }
#= Notify[n] {"message": [{"__ptype": "Deferred", "name": "f"}, {"k": {"__ptype": "Deferred", "name": "g", "arguments": [1]}}]}

## B104 a deferred value is not called
$d = Deferred('fail', ['never'])
assert($d =~ Deferred)

## B104 rich data in parameters
notify { 'n': message => [/a/, default, Timespan(1), SemVer('1.0.0'), Binary('YQ==')] }
#= Notify[n] {"message": [{"__ptype": "Regexp", "__pvalue": "a"}, {"__ptype": "Default"}, {"__ptype": "Timespan", "__pvalue": "0-00:00:01.0"}, {"__ptype": "SemVer", "__pvalue": "1.0.0"}, {"__ptype": "Binary", "__pvalue": "YQ=="}]}

## B104 hashes with other keys than strings
notify { 'n': message => { 1 => 'a' } }
#= Notify[n] {"message": {"__ptype": "Hash", "__pvalue": [1, "a"]}}

## B105 strict decides about questionable code
#@ settings {"strict": "warning", "strict_variables": true}
$h = { a => 1, a => 2 } #% warning "a"
assert($h == { a => 2 })

## B105 strict off
#@ settings {"strict": "off", "strict_variables": true}
$h = { a => 1, a => 2 }
assert($h == { a => 2 })

## B105 strings as numbers are a matter of strict
#@ settings {"strict": "off", "strict_variables": true}
assert('3' + 4 == 7)

## B97 plans need tasks
plan p() { } #! NO_CODE

## B97 with tasks there are plans
#@ settings {"tasks": true, "strict": "error"}
plan p(Integer $x = 1) { return($x) } #! UNSUPPORTED_EXPRESSION

## B98 with tasks there are no classes
#@ settings {"tasks": true, "strict": "error"}
class k { } #! EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING

## B98 with tasks there are no resources
#@ settings {"tasks": true, "strict": "error"}
notify { 'a': } #! EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING
