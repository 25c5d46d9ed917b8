# frozen_string_literal: true

# Answer requests for external and custom facts with real Facter, one JSON object a line. Each request
# runs in a fork. The answer is null where Facter itself fails.
require 'json'
require 'timeout'
require 'facter'

LIMIT = 300 # seconds for one request

def data(value)
  case value
  when String, Symbol then value.to_s.dup.force_encoding('UTF-8').scrub
  when Array then value.map { |item| data(item) }
  when Hash then value.to_h { |key, item| [data(key.to_s), data(item)] }
  else value
  end
end

def names_of(request)
  before = LegacyFacter.collection.external_facts.keys
  before += LegacyFacter.collection.custom_facts.keys if request['custom']
  before.map(&:to_s).uniq - %w[puppetversion agent_specified_environment]
end

# Puppet with its settings and facts, as in an agent.
def load_puppet
  require 'puppet'
  Puppet.initialize_settings([])
  Puppet.initialize_facts
end

def answer(request)
  messages = []
  loader = LegacyFacter::Util::DirectoryLoader.new(request['external']) # not Facter's own directories
  LegacyFacter::Util::Config.ext_fact_loader = loader
  $LOAD_PATH.unshift(*request['libraries'])
  load_puppet if request['puppet'] # it sets a handler of its own, and loads the facts in $LOAD_PATH with it
  Facter.on_message { |level, text| messages << data(text.to_s) if %i[warn error].include?(level) }
  Facter.search(*request['custom'])
  names = names_of(request)
  values = names.to_h { |name| [data(name), LegacyFacter.collection.value(name)] }
  values.reject! { |name, value| value.nil? && !LegacyFacter.collection.external_facts.include?(name.to_sym) }
  JSON.generate(values) # Facter fails when it prints what JSON cannot express
  { 'values' => data(values), 'defined' => names.size, 'messages' => messages.grep_v(%r{/proc/1/environ}) }
rescue StandardError, ScriptError, SystemStackError, SystemExit
  nil
end

$stdin.each_line do |line|
  reader, writer = IO.pipe
  child = fork do
    reader.close
    $stdout.reopen(File::NULL)
    writer.write(JSON.generate(answer(JSON.parse(line))))
    writer.close
    exit!
  end
  writer.close
  text = begin
    Timeout.timeout(LIMIT) { reader.read }
  rescue Timeout::Error
    Process.kill(:KILL, child)
    ''
  end
  puts(text.empty? ? 'null' : text)
  Process.wait(child)
end
