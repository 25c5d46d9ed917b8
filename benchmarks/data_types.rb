# usage: ruby data_types.rb < CASES   (JSON, see data_types.py)
# Real Puppet: nanoseconds that a check of a value against a type takes, and a conversion.
require 'puppet'
require 'json'
require 'tmpdir'

def clock = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)

def best(repeats)
  count = 1
  loop do
    start = clock
    count.times { yield }
    break if clock - start > 20_000_000
    count *= 2
  end
  repeats.times.map { start = clock; count.times { yield }; (clock - start).fdiv(count) }.min
end

scratch = Dir.mktmpdir
at_exit { FileUtils.rm_rf(scratch) }
Puppet.initialize_settings(['--confdir', "#{scratch}/conf", '--vardir', "#{scratch}/var"])
cases = JSON.parse($stdin.read)
environment = Puppet::Node::Environment.create(:production, [])
loaders = Puppet::Pops::Loaders.new(environment)
types = Puppet::Pops::Types::TypeParser.singleton
found = Puppet.override(loaders: loaders, current_environment: environment) do
  loader = loaders.public_environment_loader
  checks = cases['checks'].map do |text, value|
    type = types.parse(text, loader)
    raise "#{value} is no #{text}" unless type.instance?(value)
    best(cases['repeats']) { type.instance?(value) }
  end
  conversions = cases['conversions'].map do |text, arguments|
    type = types.parse(text, loader)
    type.create(*arguments)
    best(cases['repeats']) { type.create(*arguments) }
  end
  { puppet: Puppet.version, checks: checks, conversions: conversions }
end
puts JSON.generate(found)
