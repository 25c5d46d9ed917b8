Puppet::Functions.create_function(:f4) do
 dispatch :f do
 param "Any", :x
 end
 def f(a) [a.inspect, a.to_s, a.class.to_s].inspect end
end
