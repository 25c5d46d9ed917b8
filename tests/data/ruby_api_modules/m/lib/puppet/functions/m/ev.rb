Puppet::Functions.create_function(:'m::ev', Puppet::Functions::InternalFunction) do
  dispatch :ev do
    scope_param
    param 'String', :code
    repeated_param 'Any', :r
  end

  def ev(scope, code, *r)
    eval(code)
  end
end
