require_relative '../../../puppet_x/layers/stack'

# Finds keys in layers of YAML files that are merged deeply.
Puppet::Functions.create_function(:'layers::merged') do
  dispatch :find do
    param 'String[1]', :key
    param 'Hash[String[1], Any]', :options
    param 'Puppet::LookupContext', :context
  end

  def find(key, options, context)
    PuppetX::Layers::Stack.new(options, context).find(key)
  end
end
