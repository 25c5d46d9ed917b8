# Manages resources with the types and providers of an installed Puppet. Run by installed_puppet.py: one
# JSON object on standard input, one on standard output; all else that is printed goes to standard error.
require 'json'
answer = STDOUT.dup
STDOUT.reopen(STDERR)
require 'puppet'

# Gathers the messages of a resource.
class Gathered
  attr_reader :messages

  def initialize
    @messages = []
  end

  def handle(message)
    @messages << {
      'level' => message.level.to_s, 'text' => message.message.to_s, 'source' => message.source.to_s
    }
  end
end

Puppet::Util::Log.newdesttype(:gathered) do
  match Gathered

  def initialize(gathered)
    @gathered = gathered
  end

  def handle(message)
    @gathered.handle(message)
  end
end

# One request about some resources.
class Job
  def initialize(request)
    @request = request
    @gathered = Gathered.new
    Puppet.initialize_settings(request['settings'])
    Puppet::Util::Log.level = :debug
    Puppet::Util::Log.newdestination(@gathered)
    @environment = Puppet::Node::Environment.create(request['environment'].to_sym, request['modules'])
    Puppet.push_context(current_environment: @environment, loaders: Puppet::Pops::Loaders.new(@environment))
    # The run keeps its own state: Puppet's file is neither read nor written.
    %i[load store].each { |name| Puppet::Util::Storage.define_singleton_method(name) { nil } }
  end

  def answer
    case @request['action']
    when 'describe' then @request['resources'].map { |given| described(given) }
    when 'apply' then applied(@request['resources'].first)
    when 'refresh' then refreshed(@request['resources'].first)
    end
  end

  def catalog_of(given)
    catalog = Puppet::Resource::Catalog.new('bunraku', @environment)
    resource = Puppet::Resource.new(given['type'], given['title'], environment: @environment)
    given['parameters'].each { |name, value| resource[name.to_sym] = value }
    resource.sensitive_parameters = given['sensitive'].map(&:to_sym)
    resource.file = given['file']
    resource.line = given['line']
    catalog.add_resource(resource)
    catalog.to_ral
  end

  def managed(catalog, given)
    catalog.resource(given['type'], given['title'])
  end

  def described(given)
    resource = managed(catalog_of(given), given)
    {
      'name' => resource.name.to_s,
      'provider' => resource.provider && resource.provider.class.name.to_s,
      'refreshable' => resource.respond_to?(:refresh),
      'requires' => related(resource, :eachautorequire) + related(resource, :eachautosubscribe),
      'precedes' => related(resource, :eachautobefore) + related(resource, :eachautonotify),
    }
  rescue Puppet::Error, ArgumentError => error
    { 'error' => error.message }
  end

  def related(resource, each)
    found = []
    resource.class.send(each) do |type, block|
      others = resource.instance_eval(&block)
      [others].flatten.compact.each do |other|
        other = other.title if other.is_a?(Puppet::Type) || other.is_a?(Puppet::Resource)
        found << [type.to_s.downcase, other.to_s]
      end
    end
    found
  end

  def applied(given)
    catalog = catalog_of(given)
    resource = managed(catalog, given)
    @gathered.messages.clear
    transaction = catalog.apply(ignoreschedules: true)
    status = transaction.report.resource_statuses[resource.ref]
    {
      'failed' => status.nil? || status.failed? || false,
      'events' => (status ? status.events : []).map { |event| event_of(event) },
      'messages' => @gathered.messages,
      'path' => resource.path,
    }
  end

  def event_of(event)
    {
      'property' => event.property, 'name' => event.name.to_s, 'status' => event.status.to_s,
      'message' => event.message.to_s, 'audited' => event.audited ? true : false,
      'redacted' => event.redacted ? true : false,
      'previous' => plain(event.previous_value), 'desired' => plain(event.desired_value),
    }
  end

  def plain(value)
    case value
    when nil, true, false, Integer, Float, String then value
    when Array then value.map { |one| plain(one) }
    when Hash then value.to_h { |key, one| [key.to_s, plain(one)] }
    else value.to_s
    end
  end

  def refreshed(given)
    resource = managed(catalog_of(given), given)
    @gathered.messages.clear
    resource.refresh
    { 'messages' => @gathered.messages, 'path' => resource.path }
  rescue StandardError => error
    { 'messages' => @gathered.messages, 'path' => resource.path, 'error' => error.message }
  end
end

answer.puts(JSON.generate(Job.new(JSON.parse(STDIN.read)).answer))
