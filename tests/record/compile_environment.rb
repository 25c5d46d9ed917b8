# encoding: utf-8
# Compiles nodes of an environment directory with the Puppet of this machine, as a server does.
#
#   ruby compile_environment.rb --environmentpath DIR [--NAME VALUE]…    (any settings of Puppet)
#
# Reads JSON lines {"node", "facts", "environment", "trusted", "server_facts"} and writes for each an answer in the
# shape of docs/protocol.md. Puppet itself reads environment.conf, hiera.yaml and the node terminus.
Encoding.default_external = Encoding::UTF_8

require 'json'
require 'tmpdir'
require 'timeout'
require 'facter'
require 'puppet'
require 'puppet/resource_api'
require 'puppet/indirector/catalog/compiler'

TIMEOUT = 280

# The facts of the node that is compiled, in place of those of this machine.
class FactsOfNode
  attr_accessor :facts

  def value(name)
    name.to_s.downcase.split('.').reduce(facts) { |value, key| value.is_a?(Hash) ? value[key] : nil }
  end

  def [](name)
    found = value(name)
    found.nil? ? nil : Struct.new(:name, :value).new(name.to_s, found)
  end
  alias fact []

  def to_hash
    facts
  end

  def each(&block)
    facts.each(&block)
  end

  def method_missing(*)
    nil
  end

  def respond_to_missing?(*)
    true
  end
end

MESSAGES = []
Puppet::Util::Log.newdesttype(:messages) do
  match(/messages/)

  def initialize(_name = nil); end

  def handle(message)
    MESSAGES << message
  end
end

def in_logs(message)
  scope = message.source.to_s[/\AScope\((.*)\)\z/m, 1]
  entry = { level: message.level.to_s, message: message.message.to_s, scope: scope }
  entry.merge(file: message.file, line: message.line, pos: message.pos).compact
end

# The parts of an answer that hold messages; what Puppet logs about the error is described there.
def logged
  entries = MESSAGES.map { |message| in_logs(message) }.reject { |entry| entry[:level] == 'err' && !entry[:scope] }
  notices, logs = entries.partition { |entry| entry[:level] == 'notice' && entry[:scope] }
  { notices: notices.map { |entry| entry.slice(:scope, :message) }, logs: logs }
end

def described(error)
  inner = error
  inner = inner.original || inner.cause while !place?(inner) && inner.respond_to?(:original) && (inner.original || inner.cause)
  inner = error unless place?(inner)
  words = error.is_a?(Puppet::ParseErrorWithIssue) ? error.basic_message : error.message
  found = { message: words.to_s, text: error.message.to_s, class: error.class.name }
  found[:issue_code] = error.issue_code.to_s if error.respond_to?(:issue_code) && error.issue_code
  place?(inner) ? found.merge(file: inner.file, line: inner.line, pos: inner.pos) : found
end

def place?(error)
  error.respond_to?(:line) && error.line.is_a?(Integer)
end

def node_of(question, environment)
  name = question['node']
  facts = Puppet::Node::Facts.new(name, question['facts'])
  node = Puppet::Node.indirection.find(name, environment: environment, facts: facts)
  trusted = Puppet::Context::TrustedInformation.new('remote', name, question.dig('trusted', 'extensions') || {}, {})
  node.trusted_data = trusted.to_h.merge(question['trusted'] || {})
  node.add_server_facts(question['server_facts'] || {})
  node
end

def compile(question)
  environments = Puppet.lookup(:environments)
  environments.clear_all
  environment = environments.get!(question['environment'] || Puppet[:environment])
  environment.each_plugin_directory { |folder| $LOAD_PATH << folder unless $LOAD_PATH.include?(folder) }
  Puppet.override(current_environment: environment) do
    Puppet::Parser::Compiler.compile(node_of(question, environment)).filter(&:virtual?)
  end
end

def catalog_in(catalog)
  data = catalog.to_data_hash
  resources = data['resources'].map { |resource| resource.merge('tags' => (resource['tags'] || []).sort) }
  {
    version: data['version'], classes: data['classes'], resources: resources,
    edges: data['edges'].map { |edge| edge.values_at('source', 'target') }
  }
end

def answer(question)
  MESSAGES.clear
  Puppet.clear_deprecation_warnings
  Puppet::Util::Warnings.clear_warnings
  Puppet.runtime[:facter].facts = question['facts']
  catalog = Timeout.timeout(TIMEOUT) { catalog_in(compile(question)) }
  { status: 'ok', error: nil, **logged, **catalog }
rescue Timeout::Error
  { status: 'timeout', error: { message: 'timeout' }, **logged, resources: [] }
rescue StandardError, ScriptError, SecurityError, SystemStackError, SystemExit => error
  { status: 'eval_error', error: described(error), **logged, resources: [] }
end

home = Dir.mktmpdir('puppet')
folders = %w[confdir codedir vardir publicdir rundir logdir].flat_map { |name| ["--#{name}", File.join(home, name)] }
Puppet.runtime[:facter] = FactsOfNode.new
Puppet.runtime[:facter].facts = {}
Puppet.initialize_settings(folders + ['--color', 'false'] + ARGV)
ARGV.clear
Puppet[:node_cache_terminus] = nil
Puppet::Node.indirection.terminus_class = Puppet[:node_terminus]
Puppet.push_context({ rich_data: true, trusted_information: nil })
Puppet::Util::Log.close_all
Puppet::Util::Log.newdestination('messages')
Puppet::Util::Log.level = :info

STDIN.each_line do |line|
  puts JSON.generate(answer(JSON.parse(line)))
  STDOUT.flush
end
