# frozen_string_literal: true

# Compute the custom facts of Ruby files with an installed Facter. The protocol is that of python_facts.py.
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
Object.autoload(:Puppet, 'puppet')

request = JSON.parse($stdin.read)
$LOAD_PATH.unshift(*request['libraries'])
found = {}
current = nil
Facter.on_message { |level, text| answer('warn' => text, 'fact' => current, 'file' => found[current]) if %i[warn error].include?(level) }

# Notes which facts a file adds, and their time limits.
module Noting
  attr_accessor :noted, :limits

  def add(name, options = {})
    noted << (fact = name.to_s.downcase)
    limits[fact] = [limits[fact] || 0, options[:timeout]].max if options[:timeout].is_a?(Numeric)
    super
  end
end
Facter.singleton_class.prepend(Noting)

Facter.limits = {}
request['files'].each do |path|
  answer('begin' => nil, 'file' => path, 'timeout' => request['timeout'])
  Facter.noted = []
  begin
    load(path)
  rescue StandardError, ScriptError => e
    answer('warn' => "#{e.class}: #{e.message}", 'file' => path)
  end
  Facter.noted.each { |name| found[name] ||= path }
end

(found.keys - request['skip']).each do |name|
  current = name
  answer('begin' => name, 'file' => found[name], 'timeout' => Facter.limits[name] || request['timeout'])
  begin
    answer('fact' => name, 'value' => Facter.value(name))
  rescue StandardError, ScriptError => e
    answer('warn' => "#{e.class}: #{e.message}", 'fact' => name, 'file' => found[name])
  end
end
