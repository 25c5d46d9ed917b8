module Puppet::Parser::Functions
  newfunction(:rb_old, type: :statement) do |arguments|
    function_create_resources(['notify', { "old #{arguments[0]}" => {} }])
    call_function('rb::puppet', ["old #{arguments[0]}"])
    function_notice(["#{resource} #{self['title']} #{lookupvar('module_name')}"])
  end
end
