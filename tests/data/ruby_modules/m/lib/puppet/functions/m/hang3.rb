Puppet::Functions.create_function(:'m::hang3') do
  def hang3
    raise "no hang" if true
    loop { }
  end
end
