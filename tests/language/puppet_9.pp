# OpenVox 9, where it differs from Puppet 8.
#@ language "9"

## regsubst takes no encoding
$x = regsubst('abc', 'b', 'X', 'G', 'U') #! RUNTIME_ERROR "regsubst"

## regsubst takes flags
notice(regsubst('aBab', 'b', 'X', 'GI'), regsubst('aBab', 'b', 'X'))
notice(regsubst(['ab', 'cb'], /b/, 'X'), regsubst('a.b', Regexp['.'], '-'))
#> aXaX aBaX
#> [aX, cX] a-b

## reports are not stored by default
notice($settings::reports)
#> none

## functions of Deferred values are called before the catalog is applied
notice($settings::preprocess_deferred)
notify { 'x': message => Deferred('upcase', ['a']) }
#> true
#= Notify[x] {"message": {"__ptype": "Deferred", "name": "upcase", "arguments": ["a"]}}

## content that looks like a checksum is content
file { '/x': content => '{md5}0cc175b9c0f1b6a831c399e269772661' }
#= File[/x] {"content": "{md5}0cc175b9c0f1b6a831c399e269772661"}

## a removed setting has no value
#@ settings {"strict_variables": true}
notice($settings::data_binding_terminus) #! UNKNOWN_VARIABLE "data_binding_terminus"
