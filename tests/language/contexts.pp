# Puppet::LookupContext as a value: its type, its methods, what they refuse. Asked of Puppet 7.23.

## the type of a context shows its methods
notice(type(Puppet::LookupContext.new('m')))
#> Object[{name => 'Puppet::LookupContext', parent => Any, attributes => {'environment_name' => {type => String[1], kind => derived}, 'module_name' => Variant[String[1], Undef]}, functions => {'not_found' => Callable[[0, 0], Undef], 'explain' => Callable[[0, 0, Callable[0, 0]], Undef], 'interpolate' => Callable[1, 1], 'cache' => Callable[Optional[Scalar], Any], 'cache_all' => Callable[[Hash[Optional[Scalar], Any]], Undef], 'cache_has_key' => Callable[[Optional[Scalar]], Boolean], 'cached_value' => Callable[Optional[Scalar]], 'cached_entries' => Variant[Callable[[0, 0, Callable[1, 1]], Undef], Callable[[0, 0, Callable[2, 2]], Undef], Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]], 'cached_file_data' => Callable[String, Optional[Callable[Array[Integer]]]]}}]

## the cached entries are an iterator, which ends once
$c = Puppet::LookupContext.new('m')
$c.cache_all({ 'a' => 1, 'b' => 'x' })
$entries = $c.cached_entries
notice($entries, type($entries))
#> Iterator[Tuple[String, Variant[Integer, String], 2, 2]]-Value Iterator[Tuple[Variant[String, String], Variant[Integer[1, 1], String], 2, 2]]
notice($entries.map |$key, $value| { "${key}=${value}" }, $entries.map |$pair| { $pair })
#> [a=1, b=x] []
notice(type(Puppet::LookupContext.new('m').cached_entries))
#> Iterator[Tuple[Unit, Unit, 2, 2]]

## a lambda gets the cached entries
$c = Puppet::LookupContext.new('m')
$c.cache('a', 1)
$c.cached_entries |$key, $value| { notice($key, $value) }
#> a 1
$c.cached_entries |$pair| { notice($pair) }
#> [a, 1]

## a lambda for the cached entries takes one or two
Puppet::LookupContext.new('m').cached_entries |$a, $b, $c| { }         #! RUNTIME_ERROR "cached_entries"

## a method without a lambda refuses one
Puppet::LookupContext.new('m').cache('a', 1) |$x| { }                   #! RUNTIME_ERROR "cache"

## explain needs a lambda
Puppet::LookupContext.new('m').explain()                                #! RUNTIME_ERROR "explain"

## a key of the cache is a scalar
Puppet::LookupContext.new('m').cache_all({ [1] => 2 })                  #! RUNTIME_ERROR "cache_all"

## an attribute takes no arguments
Puppet::LookupContext.new('m').module_name(1)                           #! RUNTIME_ERROR "module_name"
