# frozen_string_literal: true

# Compute the custom facts of Ruby files. The protocol is that of python_facts.py.
#
# Facter need not be installed: `library` has its interface, and `require 'facter'` finds it there.
require 'json'

ANSWERS = $stdout.dup
$stdout.reopen($stderr)

def answer(line)
  ANSWERS.write("#{JSON.generate(line)}\n")
  ANSWERS.flush
end

REQUEST = JSON.parse($stdin.read, max_nesting: false, allow_nan: true)
$LOAD_PATH.unshift(*REQUEST['libraries'], "#{__dir__}/library")
require "#{__dir__}/library/facter"
require_relative 'puppet_of_facts'

Facter::Progress.on_answer { |line| answer(line) }
Facter::Progress.roots = REQUEST['libraries'] + REQUEST['directories']
Facter::Progress.default_limit = REQUEST['timeout']
Facter::Loader.dropped = REQUEST['dropped_files']
Facter::Machine.dropped = REQUEST['dropped']
Facter::Machine.take(REQUEST['machine'], REQUEST['legacy'])
Facter.external = REQUEST['external']
Facter.search(*REQUEST['directories'])
REQUEST['own'].each do |name, value|
  Facter.collected.add(name, fact_type: :custom) { setcode { value } }
end
PuppetOfFacts.prepare(REQUEST['settings'])

Facter.collected.load_files
names = Facter::Progress.files.keys - REQUEST['skip']
names &= REQUEST['names'] if REQUEST['names']
names.each do |name|
  place = { 'file' => Facter::Progress.files[name], 'line' => Facter::Progress.lines[name] }
  value = Facter.collected.defined(name)&.value
  answer('fact' => name, 'value' => value, **place)
rescue StandardError => e # what JSON cannot express
  answer('fact' => name, 'value' => nil)
  answer('warn' => "#{e.class}: #{e.message.scrub}", 'fact' => name, **place)
end
answer('end' => true)
