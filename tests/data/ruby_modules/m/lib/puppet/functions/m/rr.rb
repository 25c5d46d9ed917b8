Puppet::Functions.create_function(:'m::rr') do
  dispatch :f do
    required_repeated_param 'Integer', :a
  end
  def f(*a) a end
end
