# Manages resources with the types and providers of an installed Puppet: one process for a run of bunraku.
# Run by ruby_process.py: requests and answers are lines of JSON on the first standard input and output.
# Between a request and its answer come messages of Puppet, and questions that bunraku answers.
require 'digest'
require 'json'

# Code of a provider that ended in another way than with an error of Ruby's StandardError.
class Failure < StandardError; end

# The pipes to bunraku. Code of providers cannot reach them: they are neither standard streams nor inherited.
class Channel
  def initialize
    @input = STDIN.dup
    @output = STDOUT.dup
    @output.sync = true
    STDIN.reopen(File::NULL)
    STDOUT.reopen(STDERR)
    @lines = Queue.new
    @open = true
    @process = Process.pid
    Thread.new { read }
  end

  # Without bunraku there is nothing left to do, not even what a provider does at the moment. Code of a
  # provider may also have closed the pipe.
  def read
    while (line = @input.gets)
      @lines << line
    end
    Process.exit!(1) if @open
  rescue IOError, SystemCallError
    Process.exit!(1)
  end

  def receive
    JSON.parse(@lines.pop)
  end

  # A process that code of a provider forked has no part in the conversation: its messages are dropped.
  def send(data)
    return unless Process.pid == @process

    @output.write("#{JSON.generate(data)}\n")
  rescue IOError, SystemCallError
    Process.exit!(1)
  end

  def ask(question)
    raise Failure, 'a forked process cannot ask bunraku' unless Process.pid == @process

    send('ask' => question)
    receive
  end

  def finish
    @open = false
  end
end

CHANNEL = Channel.new

# The facts that bunraku knows already; Facter resolves the others, and all of them after it was cleared.
module FactsOfRun
  Fact = Struct.new(:name, :value)
  @known = nil

  class << self
    attr_accessor :folders

    def find(name)
      @known ||= CHANNEL.ask('facts')
      name.to_s.downcase.split('.').reduce(@known) { |found, key| found.is_a?(Hash) ? found[key] : nil }
    end

    def forget
      @known = {}
    end

    def search_modules
      Facter.search(*@folders) unless @folders.empty?
    end
  end

  # Comes before the methods of Facter.
  module Overlay
    def value(name)
      found = FactsOfRun.find(name)
      found.nil? ? super : found
    end

    def fact(name)
      found = FactsOfRun.find(name)
      found.nil? ? super : Fact.new(name.to_s, found)
    end

    def [](name)
      fact(name)
    end

    %i[clear flush reset].each do |name|
      define_method(name) do |*arguments|
        FactsOfRun.forget
        super(*arguments)
      end
    end
  end
end

$LOAD_PATH.unshift(File.join(__dir__, 'facter_overlay'))
Object.autoload(:Facter, 'facter')
begin
  require 'puppet'
rescue LoadError => error
  CHANNEL.send('ended' => "Puppet cannot be loaded: #{error.message}")
  exit!(1)
end

# Loads parts of Puppet when code uses their names: a run of Puppet itself has loaded them before.
module LoadedOnDemand
  FOLDERS = {
    Puppet::Parameter => 'parameter', Puppet::Property => 'property', Puppet::Provider => 'provider',
    Puppet::Type => 'type', Puppet::Util => 'util'
  }.freeze
  OTHER_FILES = { IniConfig: 'inifile' }.freeze

  def const_missing(name)
    words = name.to_s.gsub(/([a-z\d])([A-Z])/, '\1_\2').downcase
    files = [OTHER_FILES.fetch(name, words), words.delete('_')]
    found = FOLDERS.key?(self) && files.any? { |file| LoadedOnDemand.load(self, name, file) }
    found ? const_get(name, false) : super
  end

  def self.load(base, name, file)
    base == Puppet::Type ? Puppet::Type.type(file) : require("puppet/#{FOLDERS[base]}/#{file}")
    base.const_defined?(name, false)
  rescue LoadError
    false
  end

  FOLDERS.each_key { |base| base.extend(self) }
end

# Sends messages of Puppet to bunraku.
Puppet::Util::Log.newdesttype(:bunraku) do
  match Channel

  def initialize(channel)
    @channel = channel
  end

  def handle(message)
    @channel.send('log' => [message.level.to_s, Text.of(message.message), Text.of(message.source)])
  end
end

# Values as JSON.
module Text
  def self.of(value)
    value.to_s.encode('UTF-8', invalid: :replace, undef: :replace).scrub
  end

  def self.plain(value)
    case value
    when nil, true, false, Integer then value
    when Float then value.finite? ? value : value.to_s
    when Array then value.map { |one| plain(one) }
    when Hash then value.to_h { |key, one| [of(key), plain(one)] }
    else of(value)
    end
  end

  # What is stored of a secret.
  def self.digest(value)
    "{sha256}#{Digest::SHA256.hexdigest(plain(value).inspect)}"
  end

  # Data of a catalog as a value: with its types, versions, times and others.
  def self.value(data)
    rich?(data) ? contents(Puppet::Pops::Serialization::FromDataConverter.convert(data)) : data
  end

  # Types get the bytes of binary values, as in a run of Puppet itself.
  def self.contents(value)
    case value
    when Puppet::Pops::Types::PBinaryType::Binary then value.binary_buffer
    when Array then value.map { |one| contents(one) }
    when Hash then value.transform_values { |one| contents(one) }
    else value
    end
  end

  # A value of a catalog as reports hold it: bytes in base64, patterns between slashes.
  def self.reported(value)
    case value
    when Regexp then value.inspect
    when Array then value.map { |one| reported(one) }
    when String then value.encoding == Encoding::BINARY ? [value].pack('m0') : of(value)
    else plain(value)
    end
  end

  def self.rich?(data)
    case data
    when Array then data.any? { |one| rich?(one) }
    when Hash then data.key?('__ptype') || data.values.any? { |one| rich?(one) }
    else false
    end
  end
end

# Puppet's own facts, from those of the run.
class RunFacter < (defined?(Puppet::FacterImpl) ? Puppet::FacterImpl : Object)
  def initialize; end # loads Facter only for a fact that bunraku does not know

  def value(name)
    found = FactsOfRun.find(name)
    found.nil? ? ::Facter.value(name) : found
  end

  def search(*folders)
    FactsOfRun.folders += folders
  end
end

# The values of earlier runs: a change back to one of them is corrective.
class KeptValues
  attr_accessor :old
  attr_reader :fresh

  def initialize
    @old = {}
    @fresh = {}
  end

  def start(old)
    @old = old
    @fresh = {}
  end

  def get_system_value(_reference, name)
    @old[name]
  end

  def set_system_value(_reference, name, value)
    @fresh[name] = Text.plain(value)
  end

  def load; end

  def save; end

  def enabled?(*)
    false
  end
end

# Stored values are text where Puppet has symbols: they are compared as data.
module ComparedAsData
  def are_audited_values_equal(before, now)
    super || Text.plain(before) == Text.plain(now) || before == Text.digest(now)
  end
end

# The resources that this process manages. Those of bunraku's own providers are found in it, too, but
# are made only when code looks at them.
class RunCatalog < Puppet::Resource::Catalog
  def resource(type, title = nil)
    found = super
    return found if found || @reading

    type, title = type.to_s.split('[', 2).then { |name, rest| [name, rest.to_s.chomp(']')] } if title.nil?
    other([type.to_s.sub(/\APuppet::Type::/, '').downcase, title.to_s])
  end

  def resources
    @reading ? super : super + others.keys.map { |key| other(key) }.uniq
  end

  def resource_refs
    @reading ? super : super + others.values.map { |given| "#{capital(given['type'])}[#{given['title']}]" }
  end

  private

  def others
    @others ||= CHANNEL.ask('catalog').each_with_object({}) do |given, found|
      found[[given['type'], given['title']]] = given
      found[[given['type'], given['name']]] ||= given
    end
  end

  def other(key)
    given = others[key]
    return nil if given.nil?

    (@made ||= {})[given] ||= quietly { made(given) }
  end

  def quietly
    level = Puppet::Util::Log.level
    Puppet::Util::Log.level = :crit
    @reading = true
    yield
  ensure
    @reading = false
    Puppet::Util::Log.level = level
  end

  def made(given)
    resource = Puppet::Resource.new(given['type'], given['title'], environment: environment_instance)
    given['parameters'].each { |name, value| resource[name.to_sym] = Text.value(value) }
    resource.sensitive_parameters = given['sensitive'].map(&:to_sym)
    resource.catalog = self
    resource.to_ral
  rescue StandardError
    resource
  end

  def capital(type)
    type.split('::').map(&:capitalize).join('::')
  end
end

# The resources of a run.
class Session
  def initialize(request)
    @libraries = libraries(request['modules']) + request['libraries']
    FactsOfRun.folders = @libraries.map { |one| File.join(one, 'facter') }.select { |one| File.directory?(one) }
    prepare(request)
    @catalog = RunCatalog.new('bunraku', @environment)
    @catalog.host_config = true
    @kept = KeptValues.new
    @transaction = Puppet::Transaction.new(@catalog, nil, nil)
    @harness = @transaction.resource_harness
    @harness.singleton_class.prepend(ComparedAsData) if @harness.respond_to?(:are_audited_values_equal, true)
    @harness.instance_variable_set(:@persistence, @kept)
    @managed = {}
    @deferred = {}
    @prefetched = {}
    @directory = Dir.pwd
    @mask = File.umask
  end

  def prepare(request)
    Puppet.runtime[:facter] = RunFacter.new if Puppet.respond_to?(:runtime) && defined?(Puppet::FacterImpl)
    Puppet.initialize_settings(['--certname', request['node'].downcase])
    Puppet[:noop] = request['noop']
    Puppet[:show_diff] = request['show_diff']
    Puppet[:log_level] = request['level'] unless %w[alert emerg crit].include?(request['level'])
    Puppet::Util::Log.level = request['level'].to_sym
    Puppet::Util::Log.newdestination(CHANNEL)
    folders = @libraries
    $LOAD_PATH.unshift(*request['libraries'])
    $LOAD_PATH.push(*(folders - request['libraries']))
    Puppet::Util::Autoload.define_singleton_method(:module_directories) { |_environment| folders }
    @environment = environment = Puppet::Node::Environment.create(request['environment'].to_sym, request['modules'])
    loaders = -> { Puppet::Pops::Loaders.new(environment) }
    Puppet.push_context(current_environment: environment, loaders: loaders)
    # The run keeps its own state: Puppet's file is neither read nor written.
    %i[load store].each { |name| Puppet::Util::Storage.define_singleton_method(name) { nil } }
  end

  # The directories with the code of modules; of modules of the same name the first one counts.
  def libraries(folders)
    modules = folders.select { |one| File.directory?(one) }.flat_map { |one| Dir.children(one).sort.map { |name| [name, one] } }
    modules.uniq(&:first).map { |name, one| File.join(one, name, 'lib') }.select { |one| File.directory?(one) }
  end

  # -- making resources ----------------------------------------------------------------------------

  def create(request)
    request['resources'].map { |given| created(given) }
  end

  def created(given)
    protect { made(given) }
  rescue LoadError, StandardError => error
    { 'error' => Text.of(error.message) }
  end

  def made(given)
    type_named(given['type'])
    resource = Puppet::Resource.new(given['type'], given['title'], environment: @environment)
    given['parameters'].each { |name, value| resource[name.to_sym] = Text.value(value) }
    given['deferred'].each { |name| resource[name.to_sym] = waiting }
    resource.sensitive_parameters = given['sensitive'].map(&:to_sym)
    resource.file = given['file']
    resource.line = given['line']
    resource.tag(*given['tags'])
    resource.catalog = @catalog
    managed = resource.to_ral
    place(managed, given['containers'])
    @catalog.add_resource(managed)
    @managed[given['number']] = managed
    described(managed)
  end

  # Lets messages show the containers of a resource.
  def place(resource, containers)
    resource.define_singleton_method(:pathbuilder) { [*containers, ref] }
  end

  # A value that is computed before its resource is applied.
  def waiting
    Puppet::Pops::Evaluator::DeferredValue.new(proc {})
  rescue NameError
    raise Failure, 'this Puppet computes deferred values before the run'
  end

  def described(resource)
    {
      'name' => Text.of(resource.name),
      'refreshable' => resource.respond_to?(:refresh),
      'refreshes_itself' => resource.self_refresh? ? true : false,
      'depth_first' => resource.depthfirst? ? true : false,
      'generates' => resource.respond_to?(:generate),
      'grows' => resource.respond_to?(:eval_generate),
      'removes' => resource.deleting? ? true : false,
    }
  end

  # Sets the computed values of a resource.
  def resolve(request)
    protect do
      resource = managed(request)
      request['values'].each do |name, value|
        parameter = resource.parameter(name.to_sym)
        parameter.value = Text.value(value)
        parameter.sensitive = true if request['sensitive'].include?(name)
      end
      resource.validate_resource
      described(resource)
    end
  rescue LoadError, StandardError => error
    { 'error' => Text.of(error.message) }
  end

  def managed(request)
    @managed.fetch(request['number'])
  end

  # -- before the run ------------------------------------------------------------------------------

  def relations(_request)
    @managed.to_h { |number, resource| [number, relations_of(resource)] }
  end

  def relations_of(resource)
    protect do
      resource.pre_run_check if resource.respond_to?(:pre_run_check)
      %w[require subscribe before notify].to_h { |kind| [kind, related(resource, :"eachauto#{kind}")] }
    end
  rescue LoadError, StandardError => error
    { 'error' => Text.of(error.message) }
  end

  def related(resource, each)
    found = []
    resource.class.send(each) do |type, block|
      next unless Puppet::Type.type(type)

      list = resource.instance_eval(&block)
      (list.is_a?(Array) ? list : [list]).compact.each do |other|
        known = other.is_a?(Puppet::Type) || other.is_a?(Puppet::Resource)
        found << [(known ? other.type : type).to_s.downcase, Text.of(known ? other.title : other)]
      end
    end
    found
  end

  # -- generated resources -------------------------------------------------------------------------

  # The resources that a resource generates: before the run with generate, during it with eval_generate.
  def generate(request)
    resource = managed(request)
    protect do
      generated = resource.send(request['method']) || []
      known = request['numbers']
      [generated].flatten.map do |one|
        one = @catalog.resource(one.ref) || one
        number = @managed.key(one) || known[one.ref] || (request['next'] += 1)
        take(one, number, resource) unless @managed.key?(number)
        described(one).merge(generated_of(one, resource), 'number' => number)
      end
    end
  rescue LoadError, StandardError => error
    { 'error' => Text.of(error.message) }
  end

  def take(resource, number, parent)
    return unless resource.is_a?(Puppet::Type)

    resource.merge_tags_from(parent)
    place(resource, parent.pathbuilder[0...-1])
    @catalog.add_resource(resource) unless @catalog.resource(resource.ref)
    @managed[number] = resource
  end

  def generated_of(resource, parent)
    relations = %i[require subscribe before notify].to_h do |name|
      [name.to_s, [resource[name]].flatten.compact.map { |one| Text.of(one.respond_to?(:ref) ? one.ref : one) }]
    end
    {
      'type' => resource.type.to_s.downcase, 'title' => Text.of(resource.title), 'noop' => resource.noop? ? true : false,
      'level' => resource[:loglevel].to_s, 'schedule' => resource[:schedule] && Text.of(resource[:schedule]),
      'relations' => relations, 'related' => related?(parent, resource),
    }
  end

  def related?(parent, child)
    [[parent, child], [child, parent]].any? do |one, other|
      %i[require subscribe before notify].any? { |name| [one[name]].flatten.compact.any? { |found| found.to_s == other.ref } }
    end
  end

  # -- the run -------------------------------------------------------------------------------------

  def suitable(request)
    resource = managed(request)
    suits = protect { resource.suitable? }
    provider = resource.provider
    { 'suitable' => suits ? true : false, 'provider' => provider && provider.class.name.to_s }
  rescue LoadError, StandardError => error
    { 'suitable' => true, 'provider' => nil, 'error' => Text.of(error.message) }
  end

  def prefetch(request)
    { 'error' => prefetched(managed(request)) }
  end

  # Returns the reason why a provider could not read its resources; nil if it could, or reads none.
  def prefetched(resource)
    provider = resource.provider && resource.provider.class
    return nil unless provider.respond_to?(:prefetch)

    key = [resource.type, provider.name]
    @prefetched[key] = batch(resource, provider) unless @prefetched.key?(key)
    @prefetched[key]
  end

  def batch(resource, provider)
    mine = @managed.values.select { |one| one.type == resource.type && one.class.attrclass(:provider) }
    named = mine.select { |one| one.provider && one.provider.class.name == provider.name }
    free = provider == resource.class.defaultprovider ? mine.reject(&:provider) : []
    free.each { |one| one.provider = provider.name }
    Puppet.debug { "Prefetching #{provider.name} resources for #{resource.type}" }
    protect { provider.prefetch((named + free).to_h { |one| [one.name, one] }) }
    nil
  rescue LoadError, StandardError => error
    Text.of(error.message)
  end

  def apply(request)
    resource = managed(request)
    reason = prefetched(resource)
    raise Failure, reason if reason

    remember(resource, request)
    status = protect { @harness.evaluate(resource) }
    audited = (resource[:audit] || []).map(&:to_sym)
    stored = Puppet::Util::Storage.cache(resource)
    {
      'failed' => status.failed? || false,
      'events' => status.events.map { |event| event_of(event) },
      'audited' => audited.to_h { |name| [name, kept_value(resource, name, stored[name])] },
      'values' => @kept.fresh,
    }
  rescue LoadError, StandardError => error
    { 'error' => Text.of(error.message) }
  end

  def kept_value(resource, name, value)
    secret = resource.parameter(name)&.sensitive && !value.nil? && value != :absent
    secret ? Text.digest(value) : Text.plain(value)
  end

  def remember(resource, request)
    stored = Puppet::Util::Storage.cache(resource)
    stored.clear
    request['audited'].each { |name, value| stored[name.to_sym] = value }
    @kept.start(request['values'].to_h { |name, value| [name, symbols(resource, name, value)] })
  end

  # Stored values are text where the values of a property are symbols.
  def symbols(resource, name, value)
    property = resource.class.validattr?(name) ? resource.property(name.to_sym) : nil
    words = property.nil? ? [] : property.class.value_collection.values + Array(property.should)
    [value].flatten(1).map { |one| words.find { |word| word.is_a?(Symbol) && word.to_s == one } || one }
  end

  def event_of(event)
    {
      'property' => event.property, 'name' => event.name.to_s, 'status' => event.status.to_s,
      'message' => Text.of(event.message), 'audited' => event.audited ? true : false,
      'redacted' => event.redacted ? true : false, 'corrective' => event.corrective_change ? true : false,
      'previous' => Text.plain(event.previous_value), 'desired' => Text.reported(event.desired_value),
      'historical' => Text.plain(event.historical_value), 'drops_refresh' => event.invalidate_refreshes ? true : false,
    }
  end

  def refresh(request)
    protect { managed(request).refresh }
    {}
  rescue LoadError, StandardError => error
    { 'error' => Text.of(error.message) }
  end

  # The resources of a type on the machine: all, or the one with a title, which may be absent.
  def list(request)
    protect { listed(request['type'], request['title']) }
  rescue LoadError, StandardError => error
    { 'error' => Text.of(error.message) }
  end

  def listed(name, title)
    type = type_named(name)
    found = type.instances
    unless title.nil?
      found = found.select { |one| one.title.to_s == title || one.name.to_s == title }.first(1)
      found = [type.new(name: title, audit: type.properties.map(&:name))] if found.empty?
    end
    found.map { |one| state_of(one) }
  end

  # The type with a name. Puppet says which file it loads if the file raises an error, but not if it calls exit.
  def type_named(name)
    Puppet::Type.type(name) || raise(Failure, "Could not find type #{name}")
  rescue SystemExit => error
    place = error.backtrace.to_a.first.to_s[/\A.*?:\d+/]
    raise Failure, "Could not autoload puppet/type/#{name}: exit (#{error.status}) was called in #{place}"
  end

  def state_of(resource)
    values = resource.retrieve_resource.to_hash.select { |name, _| resource.class.validproperty?(name) }
    provider = resource.provider && resource.provider.class.name.to_s
    { 'title' => Text.of(resource.title), 'provider' => provider, 'values' => Text.plain(values) }
  end

  def finish(_request)
    @managed.values.map { |one| one.provider && one.provider.class }.uniq.each do |provider|
      next unless provider.respond_to?(:post_resource_eval)

      begin
        protect { provider.post_resource_eval }
      rescue StandardError => error
        Puppet.log_exception(error, "post_resource_eval failed for provider #{provider}")
      end
    end
    CHANNEL.finish
    {}
  end

  private

  # Runs code of a type or a provider. What it does to the process does not reach the next one.
  def protect
    process = Process.pid
    yield
  rescue LoadError, StandardError
    raise
  rescue SystemExit => error
    Process.exit!(error.status) unless Process.pid == process
    raise Failure, "the provider called exit (#{error.status})"
  rescue Exception => error # also errors of syntax, of memory, and exceptions that end a process
    raise Failure, "#{error.class}: #{error.message}"
  ensure
    Process.exit!(0) unless Process.pid == process
    Dir.chdir(@directory) if File.directory?(@directory)
    File.umask(@mask)
  end
end

begin
  session = Session.new(CHANNEL.receive)
  CHANNEL.send('answer' => { 'version' => Puppet.version })
rescue LoadError, StandardError => error
  CHANNEL.send('ended' => Text.of(error.message))
  exit!(1)
end
loop do
  request = CHANNEL.receive
  CHANNEL.send('answer' => session.send(request['action'], request))
  break if request['action'] == 'finish'
rescue StandardError => error # code of a provider has changed what the conversation needs, such as JSON
  warn "#{error.class}: #{error.message}"
  exit!(1)
end
