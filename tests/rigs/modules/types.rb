# Describe the resource types of modules as Puppet has them after loading them.
# Reads a JSON line for each module: {"modulepath": FOLDER, "types": [NAME…]}; writes a line for each, with all its types.
# Each module has a process of its own. Code of modules runs.
require 'json'
require 'puppet'
require 'tmpdir'

Puppet.initialize_settings(["--confdir", Dir.mktmpdir, "--vardir", Dir.mktmpdir])
Puppet::Util::Log.level = :crit
Puppet::Type.type(:file)
$stderr.reopen(File::NULL)

def flags(pattern)
  [[Regexp::MULTILINE, 'm'], [Regexp::IGNORECASE, 'i'], [Regexp::EXTENDED, 'x']]
    .select { |bit, _| pattern.options & bit != 0 }.map(&:last).join
end

def patterns(type)
  type.title_patterns.map do |pattern, groups|
    kept = groups.map { |group| [group].flatten(1)[0].to_s }
    [pattern.source, flags(pattern), kept]
  end
rescue Exception => e
  e.message.lines.first.to_s
end

def describe(type)
  {
    'name' => type.name.to_s,
    'parameters' => type.parameters.map(&:to_s),
    'properties' => type.properties.map { |each| each.name.to_s },
    'namevars' => type.key_attributes.map(&:to_s),
    'title_patterns' => patterns(type),
    'isomorphic' => type.isomorphic?,
    'applies_to' => type.instance_variable_get(:@apply_to).to_s.then { |found| found.empty? ? 'host' : found },
    'features' => type.features.map(&:to_s).sort,
    'providers' => type.providers.map(&:to_s).sort
  }
end

def answer(name)
  type = Puppet::Type.type(name.to_sym)
  return { 'missing' => true } if type.nil?
  describe(type)
rescue Exception => e
  { 'error' => "#{e.class}: #{e.message.b.force_encoding('UTF-8').scrub.lines.first.to_s.chomp}" }
end

def describe_module(asked)
  environment = Puppet::Node::Environment.create(:production, [asked['modulepath']])
  environment.each_plugin_directory { |lib| $LOAD_PATH << lib }
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
    asked['types'].map { |name| answer(name).merge('asked' => name) }
  end
end

$stdout.sync = true
STDIN.readlines.each do |line|
  asked = JSON.parse(line)
  reader, writer = IO.pipe
  child = fork do
    reader.close
    $stdout.reopen(File::NULL)
    writer.write(JSON.generate('modulepath' => asked['modulepath'], 'types' => describe_module(asked)))
    writer.close
    exit!(0)
  end
  writer.close
  text = reader.read
  Process.wait(child)
  puts(text.empty? ? JSON.generate('modulepath' => asked['modulepath'], 'error' => "ended with #{$?.inspect}") : text)
end
