Puppet::Functions.create_function(:'m::al') do
  dispatch :f do
    param 'M::Src', :a
  end
  def f(a) a end
end
