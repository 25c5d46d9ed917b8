# Rules of Hiera: variables in paths and data, values for parameters.

## an unknown variable in a path is empty, with a warning
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, paths: ['x%{var.sub}.yaml', '%{var}.yaml']}]
#@ file data/x.yaml | y: found
notice(lookup('y'), lookup('y')) #% warning "'var'"
#> found found

## an unknown variable in a path is silent when strict is off
#@ settings {"strict": "off"}
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, glob: 'x%{var}*.yaml'}]
#@ file data/x.yaml | y: found
notice(lookup('y'))
#> found

## an unknown variable in a datadir is an error
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, datadir: 'data%{var}', path: 'x.yaml'}]
lookup('y')
#! RUNTIME_ERROR "'var'"

## an unknown variable in data is an error
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, path: 'x.yaml'}]
#@ file data/x.yaml | y: '%{var}'
lookup('y') #! RUNTIME_ERROR "'var'"

## an unknown variable among mapped_paths is empty, with a warning
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, mapped_paths: [nope, v, 'x%{v}.yaml']}]
notice(lookup('y', { 'default_value' => 'none' })) #% warning "'nope'"
#> none

## mapped_paths takes each pair of a hash
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, mapped_paths: [h, v, 'p%{v.0}.%{v.1.a}.yaml']}]
#@ file data/pl.z.yaml | y: found
$h = { 'k' => { 'a' => 'k' }, 'l' => { 'a' => 'z' } }
notice(lookup('y'))
#> found

## default_values_hash serves unknown variables in data
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, path: 'x.yaml'}]
#@ file data/x.yaml | y: "-%{sx}-"
#@ file data/x.yaml | z: "-%{sy.k}-"
notice(lookup('y', { 'default_values_hash' => { 'sx' => 'd' } }))
notice(lookup('y', { 'default_values_hash' => { 'sx' => undef } }))
notice(lookup('z', { 'default_values_hash' => { 'sy' => { 'k' => 'e' } } }))
$sx = 'var'
notice(lookup('y', { 'default_values_hash' => { 'sx' => 'd' } }))
#> -d-
#> --
#> -e-
#> -var-

## overrides and defaults of a lookup do not serve paths
#@ settings {"strict": "off"}
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, path: 'x%{sx}.yaml'}]
#@ file data/xd.yaml | y: given
#@ file data/x.yaml | y: plain
notice(lookup('y', { 'override' => { 'sx' => 'd' } }))
notice(lookup('y', { 'default_values_hash' => { 'sx' => 'd' } }))
#> plain
#> plain

## data for parameters does not see the title of the class
#@ file hiera.yaml | version: 5
#@ file hiera.yaml | hierarchy: [{name: a, path: '%{module_name}.yaml'}]
#@ file data/c.yaml | c::y: "n=%{name} t=%{title} m=%{module_name} c=%{caller_module_name}"
#@ file c/manifests/init.pp | class c($y, $z = "${name} ${title}") { notice($y) notice($z) notice(lookup('c::y')) }
#@ file d/manifests/init.pp | class d { include c }
include d
#> n=main t=main m=c c=d
#> c c
#> n=c t=c m=c c=d

## a module's metadata names the provider of its data
#@ file m/metadata.json | {"name": "x-m", "version": "1.0.0", "author": "x", "license": "x",
#@ file m/metadata.json | "summary": "", "source": "", "dependencies": [], "data_provider": "hiera"}
#@ file m/data/common.yaml | m::a: found
notice(lookup('m::a'))
#> found
#% warning "data_provider"

## a module's metadata names a function for its data
#@ file m/metadata.json | {"name": "x-m", "version": "1.0.0", "author": "x", "license": "x",
#@ file m/metadata.json | "summary": "", "source": "", "dependencies": [], "data_provider": "function"}
#@ file m/functions/data.pp | function m::data() { { 'm::a' => '%{facts.x}!' } }
#@ facts {"x": "found"}
notice(lookup('m::a'))
#> found!
#% warning "data_provider"
#% warning "'m::data'"
