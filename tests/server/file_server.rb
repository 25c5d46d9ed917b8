# Answers requests for metadata by Puppet's own file server, one JSON object on each line:
# {"route": "file_metadata", "key": "modules/a/x", "options": {...}} -> {"found": ...} or {"error": ...}
# The arguments are a directory for Puppet's own files and those of the modulepath.
require 'json'
require 'puppet'
own, *modulepath = ARGV
Puppet.initialize_settings(['--vardir', "#{own}/var", '--confdir', "#{own}/etc"])
environment = Puppet::Node::Environment.create(:production, modulepath)
loader = Puppet::Environments::Static.new(environment)
Puppet.override(environments: loader, current_environment: environment) do
  server = Puppet::Indirector::Indirection.instance(:file_metadata)
  $stdin.each_line do |line|
    asked = JSON.parse(line)
    options = asked['options'].transform_keys(&:to_sym)
    options = options.merge(environment: environment, node: 'web.example.com')
    begin
      found = if asked['route'] == 'file_metadatas'
                server.search(asked['key'], options)&.map(&:to_data_hash)
              else
                server.find(asked['key'], options)&.to_data_hash
              end
      puts({ found: found }.to_json)
    rescue StandardError => e
      puts({ error: e.message }.to_json)
    end
  end
end
