# usage: ruby puppet_site.rb ROOT RUNS
# Real Puppet: first and warm compiles of the site in ROOT/environments/production, one JSON line.
# The environment is cached as in a server (environment_timeout = unlimited).
require 'puppet'
require 'json'
require 'digest'
require 'tmpdir'
SCRATCH = Dir.mktmpdir
at_exit { require 'fileutils'; FileUtils.rm_rf(SCRATCH) }

def cpu
  times = Process.times
  times.utime + times.stime + times.cutime + times.cstime
end

root, runs = ARGV[0], (ARGV[1] || 3).to_i
Puppet.initialize_settings(['--confdir', "#{SCRATCH}/conf", '--vardir', "#{SCRATCH}/var"])
Puppet[:environmentpath] = File.join(root, 'environments')
Puppet[:environment_timeout] = 'unlimited'
Puppet[:strict] = :warning
Puppet[:strict_variables] = false
Puppet::Util::Log.level = :err
Puppet::Util::Log.newdestination(:console)
FACTS = JSON.parse(File.read(File.join(__dir__, 'facts.json')))
NODE = 'bench.example.org'
loader = Puppet::Environments::Cached.new(Puppet::Environments::Directories.new(Puppet[:environmentpath], []))
seconds = []
catalog = nil
trusted = Puppet::Context::TrustedInformation.new('remote', NODE, {})
Puppet.override({ environments: loader, trusted_information: trusted }, 'bench') do
  runs.times do |n|
    GC.start if n.positive?
    started = cpu
    environment = loader.get!(:production)
    Puppet.override({ current_environment: environment }, 'bench') do
      facts = Puppet::Node::Facts.new(NODE, FACTS.dup)
      node = Puppet::Node.new(NODE, environment: environment, facts: facts)
      node.merge(facts.values)
      node.trusted_data = trusted.to_h
      catalog = Puppet::Parser::Compiler.compile(node)
    end
    seconds << cpu - started
  end
end
messages = catalog.resources.select { |one| one.type == 'Notify' }.sort_by(&:title).map { |one| one[:message] }
warm = seconds.drop(1).sort
puts JSON.generate({ puppet: Puppet.version, first: seconds[0], warm: warm[warm.size / 2], all: warm,
                     resources: catalog.resources.size, messages: Digest::SHA256.hexdigest(JSON.generate(messages)), round_trips: nil,
                     megabytes: File.read('/proc/self/status')[/VmHWM:\s+(\d+)/, 1].to_i / 1024.0 })
