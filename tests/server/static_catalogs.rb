# Adds the descriptions of sources to catalogs as Puppet's compiler does, one JSON object on each line:
# a list of the parameters of file resources -> {"metadata": ..., "recursive_metadata": ...} or {"error": ...}
# The arguments are a directory for Puppet's own files, the environmentpath and the basemodulepath.
require 'json'
require 'puppet'
require 'puppet/indirector/catalog/compiler'
own, environmentpath, base = ARGV
Puppet.initialize_settings(
  ['--vardir', "#{own}/var", '--confdir', "#{own}/etc", '--environmentpath', environmentpath,
   '--basemodulepath', base]
)
Puppet[:strict] = :off
Puppet[:default_file_terminus] = :file_server
loader = Puppet::Environments::Directories.new(environmentpath, [base])
environment = loader.get(:production)
compiler = Puppet::Resource::Catalog::Compiler.new
Puppet.override(environments: loader, current_environment: environment) do
  $stdin.each_line do |line|
    catalog = Puppet::Resource::Catalog.new('node', environment)
    JSON.parse(line).each_with_index do |parameters, number|
      given = parameters.transform_keys(&:to_sym)
      catalog.add_resource(Puppet::Resource.new('File', "/f#{number}", parameters: given))
    end
    begin
      compiler.send(:inline_metadata, catalog, :sha256)
      data = catalog.to_data_hash
      puts data.slice('metadata', 'recursive_metadata').to_json
    rescue StandardError => e
      puts({ error: e.message }.to_json)
    end
  end
end
