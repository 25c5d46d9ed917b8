Puppet::Functions.create_function(:'m::imp') do
  def imp(a, b, c = 3) [a,b,c] end
end
