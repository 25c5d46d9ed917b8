# Reads resources as JSON lines {"type", "title", "parameters"} and writes, for each, the message with
# which Puppet refuses to make it, or null. The arguments are the directories of modules. Run by
# record_refusals.py; nothing is applied.
require 'json'
require 'puppet'
require 'puppet/parameter/boolean'
require 'tmpdir'

Puppet.initialize_settings(['--confdir', Dir.mktmpdir, '--vardir', Dir.mktmpdir])
Puppet::Util::Log.level = :crit
environment = Puppet::Node::Environment.create(:production, ARGV)
environment.each_plugin_directory { |library| $LOAD_PATH << library }
Puppet.push_context(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment))

DEFAULT = { '__ptype' => 'Default' }.freeze
STDIN.each_line do |line|
  given = JSON.parse(line)
  refusal = begin
    catalog = Puppet::Resource::Catalog.new('node', environment)
    resource = Puppet::Resource.new(given['type'], given['title'], environment: environment)
    given['parameters'].each do |name, value|
      secret = value.is_a?(Hash) && value['__ptype'] == 'Sensitive'
      resource.sensitive_parameters += [name.to_sym] if secret
      value = value['__pvalue'] if secret
      resource[name.to_sym] = value == DEFAULT ? :default : value
    end
    catalog.add_resource(resource)
    catalog.to_ral.finalize
    nil
  rescue Puppet::Error, ArgumentError => error
    error.message
  rescue StandardError => error
    "#{error.class}: #{error.message}"
  end
  puts JSON.generate(refusal)
  STDOUT.flush
end
