Puppet::Functions.create_function(:'m::dm') do
  dispatch :ints do
    param 'Integer', :a
  end
  dispatch :strs do
    param 'String', :a
    optional_param 'Integer', :b
  end
  def ints(a) "int #{a}" end
  def strs(a, b = 7) "str #{a} #{b}" end
end
