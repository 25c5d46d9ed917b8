Puppet::Functions.create_function(:'m::lt') do
  local_types do
    type 'MyStr = String[1]'
    type 'Both = Variant[MyStr, Array[MyStr]]'
  end
  dispatch :f do
    param 'Both', :a
    return_type 'MyStr'
  end
  def f(a) a end
end
