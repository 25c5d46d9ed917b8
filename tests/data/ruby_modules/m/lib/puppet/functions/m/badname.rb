Puppet::Functions.create_function(:'m::other') do
  def other; end
end
