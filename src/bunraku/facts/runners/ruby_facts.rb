# frozen_string_literal: true

# Compute the custom facts of Ruby files with an installed Facter 4. The protocol is that of python_facts.py.
#
# Facter itself finds and loads the files, so a fact that reads another one loads it as it does for an agent.
# Modules prepended to Facter's classes note which fact or file runs: each message names its file and fact.
require 'json'

ANSWERS = $stdout.dup
$stdout.reopen($stderr)

def answer(line)
  ANSWERS.write("#{JSON.generate(line)}\n")
  ANSWERS.flush
end

begin
  require 'facter'
rescue LoadError
  answer('missing' => 'facter')
  exit
end

REQUEST = JSON.parse($stdin.read, max_nesting: false)
EXTERNAL_WEIGHT = 10_000 # as in LegacyFacter::Util::DirectoryLoader
OWN = File.dirname($LOADED_FEATURES.find { |path| path.end_with?('/facter.rb') })

# What runs: a file that is loaded, or a fact that is resolved, perhaps for another one.
module Running
  STACK = []
  FILES = {}
  REPORTED = {}

  def self.within(fact, file)
    STACK.push([fact, file, []])
    answer('begin' => fact, 'file' => file, 'timeout' => limit_of(fact))
    yield
  ensure
    STACK.pop
    fact, file = STACK.last
    answer('begin' => fact, 'file' => file, 'timeout' => limit_of(fact)) if file
  end

  # The declared limits of a fact, with a second for each in which Facter itself ends the resolution.
  def self.limit_of(fact)
    resolutions = fact ? LegacyFacter.collection.instance_variable_get(:@facts)[fact.to_sym] : nil
    limits = resolutions.instance_variable_get(:@resolves).map(&:limit).select(&:positive?) if resolutions
    limits && !limits.empty? ? limits.sum + limits.size : REQUEST['timeout']
  end

  # Report a text; `failed` if the file cannot be used. Messages of a fact wait until its value is known.
  def self.message(text, exception = nil, failed: false)
    fact, file, messages = STACK.last
    place = place_of(exception) || [file]
    line = { 'fact' => fact, 'file' => place[0], 'line' => place[1], 'warn' => plain(text), 'left_out' => failed }
    return if REPORTED.include?(line)

    REPORTED[line] = true
    fact ? messages.push(line) : answer(line)
  end

  # A message without the name of the fact and without the code that Ruby quotes.
  def self.plain(text)
    text = text.to_s.scrub.sub(/\n\n[^\n]*\n *\^+\s*\z/, '')
    text.sub(/\AError while resolving custom fact fact='[^']*', resolution='<anonymous>': /, '')
  end

  def self.place_of(exception)
    return nil unless exception.is_a?(Exception)

    location = SyntaxErrors.place(exception)
    (exception.backtrace_locations || []).each do |one|
      location ||= [one.absolute_path, one.lineno] if one.absolute_path && watched?(one.absolute_path)
    end
    location
  end

  def self.watched?(path)
    (REQUEST['libraries'] + REQUEST['directories']).any? { |directory| path.start_with?("#{directory}/") }
  end
end

# The place of a syntax error is in its message.
module SyntaxErrors
  def self.place(exception)
    found = exception.message.scrub.match(/\A(?<path>[^\n]+?):(?<line>\d+): /) if exception.is_a?(SyntaxError)
    found && [found[:path], found[:line].to_i]
  end

  def self.text(exception)
    return exception.message.scrub unless exception.is_a?(SyntaxError)

    exception.message.scrub.sub(/\A[^\n]+?:\d+: /, '')
  end
end

# Notes the files of facts.
module Noting
  def add(name, options = {})
    Running::FILES[name.to_s.downcase] ||= caller_locations(1, 1).first.absolute_path || Running::STACK.last&.[](1)
    super
  end

  def define_fact(name, options = {})
    Running::FILES[name.to_s.downcase] ||= caller_locations(1, 1).first.absolute_path || Running::STACK.last&.[](1)
    super
  end

  def log_exception(exception, message = nil)
    Running.message(message.to_s.empty? ? exception.to_s : message, exception)
  end
end
Facter.singleton_class.prepend(Noting)

# Loads each file once. A file that fails is reported, and the facts that it defined before are used.
module Loading
  def kernel_load(file)
    return super if file.start_with?(OWN)
    return if REQUEST['dropped_files'].include?(file)

    Running.within(nil, file) do
      super
    rescue StandardError, ScriptError, SystemStackError, SystemExit => e
      e = unwrapped(e)
      Running.message("#{e.class}: #{SyntaxErrors.text(e)}", e, failed: true)
    end
  end

  # Facter 4 fails when it logs that a block of `Facter.add` failed; the cause is that failure.
  def unwrapped(error)
    error.is_a?(NoMethodError) && error.name == :message && error.cause ? error.cause : error
  end
end
LegacyFacter::Util::Loader.prepend(Loading)

# Notes which fact is resolved. One that took too long before has no value.
module Resolving
  def value
    name = @name.to_s
    return nil if REQUEST['dropped'].include?(name)
    return super unless Running::FILES.include?(name)

    result = error = nil
    Running.within(name, Running::FILES[name]) do
      result = super
    rescue StandardError, ScriptError, SystemStackError, SystemExit => e
      Running.message("#{e.class}: #{e.message}", e)
      error = e
    ensure
      Running::STACK.last[2].each { |line| answer(line.merge('left_out' => result.nil?)) }
    end
    error && Running::STACK.any? ? raise(error) : result
  end
end
Facter::Util::Fact.prepend(Resolving)

# Reports what Facter and facts log, without problems of Facter's own facts.
module Logging
  OWN_FACTS = /\A(?:Facter::InternalFactManager\z|(?:Facter::Resolvers|Facts|Facter::Util)::(?!Fact\b|Resolution\b))/

  def warn(text)
    Running.message(text) unless OWN_FACTS.match?(@class_name)
  end

  def error(text, _colorize = nil)
    Running.message(text) unless OWN_FACTS.match?(@class_name)
  end
end
Facter::Log.prepend(Logging)

$LOAD_PATH.unshift(*REQUEST['libraries'])
LegacyFacter::Util::Config.ext_fact_loader = LegacyFacter::Util::NothingLoader.new
Facter.search(*REQUEST['directories'])
REQUEST['external'].each do |name, value|
  LegacyFacter.collection.add(name, value: value, fact_type: :external) { has_weight(EXTERNAL_WEIGHT) }
end
# Load Puppet and read its settings, as an agent has before it loads facts. Few facts need it, and it takes time.
def load_puppet
  require 'puppet'
  Puppet.initialize_settings
rescue LoadError
  nil # facts that need Puppet say so
end

Object.autoload(:Puppet, 'puppet')
folders = REQUEST['directories'] | REQUEST['libraries'].map { |library| "#{library}/facter" }
files = folders.flat_map { |folder| Dir.glob("#{folder}/**/*.rb") }
load_puppet if files.any? { |path| File.file?(path) && File.binread(path).match?(/puppet/i) }

REQUEST['own'].each { |name, value| LegacyFacter.add(name, fact_type: :custom) { setcode { value } } }
LegacyFacter.collection.custom_facts # loads the files

names = Running::FILES.keys - REQUEST['skip']
names &= REQUEST['names'] if REQUEST['names']
names.each do |name|
  answer('fact' => name, 'value' => Facter.value(name), 'file' => Running::FILES[name])
rescue StandardError => e # what JSON cannot express
  answer('fact' => name, 'value' => nil)
  answer('warn' => "#{e.class}: #{e.message.scrub}", 'fact' => name, 'file' => Running::FILES[name])
end
answer('end' => true)
