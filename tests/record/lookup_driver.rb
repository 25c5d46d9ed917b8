# Looks keys up with real Puppet, many in one process: cases as JSON lines in, answers as lines out.
#
# A case: {"root": folder with hiera.yaml and environments/production, "node", "facts", "vars",
# "lookups": [{"keys": [...], "merge": ..., "explain": bool, "explain_options": bool}, ...]}.
# An answer: for each lookup the value or the error, the explanation as text and as data.
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/node'
require 'puppet/parser/compiler'

SCRATCH = Dir.mktmpdir('lookup-driver')
OWNER = Process.pid
at_exit { FileUtils.rm_rf(SCRATCH) if Process.pid == OWNER }
Puppet.initialize_settings(
  ['--confdir', SCRATCH, '--vardir', SCRATCH, '--codedir', SCRATCH, '--rundir', SCRATCH,
   '--logdir', SCRATCH, '--strict', 'error', '--strict_variables']
)

def asked(scope, lookup)
  explain = lookup['explain'] || lookup['explain_options']
  only = lookup['explain_options'] && !lookup['explain']
  explainer = explain ? Puppet::Pops::Lookup::Explainer.new(!!lookup['explain_options'], !!only) : nil
  invocation = Puppet::Pops::Lookup::Invocation.new(scope, {}, {}, explainer)
  answer = {}
  begin
    value = Puppet::Pops::Lookup.lookup(lookup['keys'], nil, nil, false, lookup['merge'], invocation)
    answer['value'] = value
  rescue Puppet::DataBinding::LookupError => error
    invocation.report_text { error.message }
    answer['error'] = error.message
  rescue StandardError => error
    answer['crash'] = error.message
    return answer
  end
  if explainer
    answer['text'] = explainer.explain
    answer['data'] = explainer.to_hash
  end
  answer
end

def handle(request)
  root = request['root']
  Puppet[:hiera_config] = "#{root}/hiera.yaml"
  Puppet[:code] = 'undef'
  loader = Puppet::Environments::Directories.new("#{root}/environments", [])
  Puppet.override(environments: loader, current_environment: loader.get('production')) do
    facts = Puppet::Node::Facts.new(request['node'], request['facts'])
    request['lookups'].map do |lookup|
      environment = loader.get('production')
      node = Puppet::Node.new(request['node'], facts: facts, environment: environment)
      node.merge(facts.values)
      node.merge(request['vars'])
      answer = nil
      begin
        compiler = Puppet::Parser::Compiler.new(node)
        compiler.compile { |catalog| answer = asked(compiler.topscope, lookup); catalog }
        answer
      rescue StandardError => error
        { 'crash' => error.message }
      end
    end
  end
end

$stdout.sync = true
$stdin.each_line do |line|
  request = JSON.parse(line)
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    writer.write(JSON.generate(handle(request), allow_nan: true, max_nesting: 200))
    writer.close
    exit!(0)
  end
  writer.close
  text = reader.read
  Process.wait(pid)
  puts text.empty? ? '[]' : text
end
