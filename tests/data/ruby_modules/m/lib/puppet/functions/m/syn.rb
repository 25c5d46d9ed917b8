Puppet::Functions.create_function(:'m::syn') do
  def syn(
end
