require 'yaml'

# Finds keys in layers of YAML files that are merged deeply.
Puppet::Functions.create_function(:'layers::merged') do
  NOTHING = {}.freeze

  local_types do
    type 'Options = Struct[{ folder => String[1], layers => Array[String] }]'
  end

  dispatch :find do
    param 'Variant[String, Numeric]', :key
    param 'Options', :options
    param 'Puppet::LookupContext', :context
  end

  argument_mismatch :no_layers do
    param 'Any', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def find(key, options, context)
    return context.cached_value(key) if context.cache_has_key(key)

    data = context.cached_value(nil)
    if data.nil?
      Puppet.info("merging #{options['layers'].size} layers for #{context.environment_name}")
      data = everything(options, context)
      context.cache(nil, data)
    end
    context.explain { "looking for #{key}" }
    context.not_found unless data.key?(key)
    context.cache(key, context.interpolate(data[key]))
  end

  def everything(options, context)
    options['layers'].reduce(NOTHING) do |merged, layer|
      path = File.join(options['folder'], "#{layer}.yaml")
      next merged unless File.exist?(path)
      combine(merged, content(path, context))
    end
  end

  def content(path, context)
    context.cached_file_data(path) do |text|
      begin
        Puppet.debug { "reading #{File.basename(path, '.yaml')}" }
        data = YAML.safe_load(text, permitted_classes: [Symbol], aliases: true, filename: path)
        unless data.is_a?(Hash)
          raise Puppet::DataBinding::LookupError, format('%{path} holds no hash', path: path)
        end
        Puppet::Pops::Lookup::HieraConfig.symkeys_to_string(data)
      rescue Psych::SyntaxError, YAML::DisallowedClass => e
        raise Puppet::DataBinding::LookupError, "Cannot read #{path}: #{e.message}"
      end
    end
  end

  private

  def combine(below, above)
    below.merge(above) do |_key, old, new|
      if old.is_a?(Hash) && new.is_a?(Hash)
        combine(old, new)
      elsif old.is_a?(Array) && new.is_a?(Array)
        old | new
      else
        new
      end
    end
  end

  def no_layers(_key, options, _context)
    "needs the option 'layers', not #{options.keys.sort.join(', ')}"
  end
end
