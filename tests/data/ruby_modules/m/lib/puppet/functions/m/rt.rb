Puppet::Functions.create_function(:'m::rt') do
  dispatch :f do
    param 'Any', :a
    return_type 'String'
  end
  def f(a) a end
end
