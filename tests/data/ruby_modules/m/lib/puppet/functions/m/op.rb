Puppet::Functions.create_function(:'m::op') do
  dispatch :f do
    required_param 'Integer', :a
    optional_param 'Integer', :b
    optional_repeated_param 'String', :c
  end
  def f(a, b = nil, *c) [a,b,c] end
end
