Puppet::Functions.create_function(:'m::evs', Puppet::Functions::InternalFunction) do
 dispatch :f do
   scope_param
   param "String", :x
   repeated_param "Any", :r
   optional_block_param
 end
 def f(scope, a, *r, &block) eval(a) end
end
