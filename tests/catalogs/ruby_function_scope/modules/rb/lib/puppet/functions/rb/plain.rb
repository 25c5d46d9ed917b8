Puppet::Functions.create_function(:'rb::plain') do
  dispatch :plain do
    param 'String', :text
    optional_block_param
  end

  def plain(text)
    call_function('create_resources', 'notify', { "plain #{text}" => {} })
    call_function('include', 'rb::included')
    call_function('contain', 'rb::contained')
    call_function('rb::puppet', "plain #{text}")
    call_function('notice', call_function('getvar', 'here'), call_function('defined', '$here'))
    call_function('inline_template', "<% scope.call_function('notice', [scope.resource.to_s]) %>")
    call_function('rb_old', "plain #{text}")
    yield('value') if block_given?
    closure_scope['title']
  end
end
