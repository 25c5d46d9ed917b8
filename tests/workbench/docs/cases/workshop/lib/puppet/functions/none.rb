Puppet::Functions.create_function(:none) do
end
module Inner
  # In a module.
  Puppet::Functions.create_function(:in_module) do
    # The way.
    #
    # @return [String] x
    def in_module
    end
  end
end
if true
  # In a condition.
  Puppet::Functions.create_function(:in_condition) do
    dispatch(:a) { return_type 'String' }
  end
else
  Puppet::Functions.create_function(:in_else) { }
end
Puppet::Functions.create_function(:with_modifier) { } unless false
Puppet::Functions.create_function(name) { }
x = Puppet::Functions.create_function(:assigned) { }
::Puppet::Functions.create_function(:absolute) { }
