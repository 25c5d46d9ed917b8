Puppet::Functions.create_function(:'m::ev') do
 dispatch :f do
   param "String", :x
   repeated_param "Any", :r
   optional_block_param
 end
 def f(a, *r, &block) eval(a) end
end
