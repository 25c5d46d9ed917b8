Puppet::Functions.create_function(:'m::am') do
  dispatch :f do
    param 'Integer', :a
  end
  argument_mismatch :no do
    param 'String', :a
  end
  def f(a) a end
  def no(a) "do not give strings like #{a}" end
end
