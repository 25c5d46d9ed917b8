Puppet::Functions.create_function(:'rb::scoped', Puppet::Functions::InternalFunction) do
  dispatch :scoped do
    scope_param
    param 'String', :text
  end

  def scoped(scope, text)
    call_function('create_resources', 'notify', { "closure #{text}" => {} })
    scope.call_function('create_resources', ['notify', { "scope #{text}" => {} }])
    scope.call_function('rb::puppet', ["scoped #{text}"])
    scope.call_function('notice', ["#{scope.resource} #{scope['title']} #{closure_scope['title']}"])
    nil
  end
end
