# Compiles catalogs as the compiler of a Puppet server does, one JSON object on each line:
# {"node", "environment", "facts", "extensions", "static"} -> the catalog as agents get it
# The arguments are a directory for Puppet's own files, the environmentpath and the basemodulepath.
require 'cgi'
require 'json'
require 'puppet'
require 'puppet/indirector/catalog/compiler'
own, environmentpath, base = ARGV
Puppet.initialize_settings(
  ['--vardir', "#{own}/var", '--confdir', "#{own}/etc", '--environmentpath', environmentpath,
   '--basemodulepath', base, '--node_terminus', 'plain', '--certname', 'puppet.example.test']
)
Puppet[:default_file_terminus] = :file_server
Puppet::Node::Facts.indirection.terminus_class = :memory
Puppet::Node.indirection.terminus_class = :plain
Puppet::Util::Log.newdestination(:console)
loader = Puppet::Environments::Directories.new(environmentpath, [base])
compiler = Puppet::Resource::Catalog::Compiler.new
$stdin.each_line do |line|
  data = JSON.parse(line)
  environment = loader.get(data['environment'])
  facts = { 'name' => data['node'], 'values' => data['facts'] }
  options = { environment: environment, facts_format: 'application/json', facts: CGI.escape(facts.to_json) }
  if data['static']
    options.merge!(static_catalog: 'true', checksum_type: 'sha256.md5', code_id: 'rig-code-1')
  end
  trusted = Puppet::Context::TrustedInformation.new('remote', data['node'], data['extensions'])
  Puppet.override(environments: loader, current_environment: environment,
                  trusted_information: trusted, rich_data: true) do
    request = Puppet::Indirector::Request.new(:catalog, :find, data['node'], nil, options)
    catalog = compiler.filter(compiler.find(request))
    $stdout.puts(catalog.to_json)
  end
end
