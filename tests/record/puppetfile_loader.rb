# Prints what r10k's own loader makes of each Puppetfile, or why it refuses it. Reads lines of {"text": …}.
# ruby -W0 -I R10K/lib puppetfile_loader.rb
require 'json'
require 'tmpdir'
require 'r10k'
require 'r10k/git'
require 'r10k/module_loader/puppetfile'

R10K::Git.provider = :shellgit
WARNINGS = []
COLLECTOR = Object.new
def COLLECTOR.warn(text) = WARNINGS << text
def COLLECTOR.method_missing(*) = nil
def COLLECTOR.respond_to_missing?(*) = true

class R10K::Module::Base
  def logger = COLLECTOR
end

FIELDS = {
  'Git' => { remote: :@remote, ref: :@desired_ref, default_branch: :@default_branch },
  'SVN' => { url: :@url, revision: :@expected_revision, username: :@username, password: :@password },
  'Tarball' => { source: :@source, sha256: :@checksum },
  'Forge' => {},
  'Local' => {},
}

def shown(value) = value.is_a?(Symbol) ? ":#{value}" : value

def described(mod)
  kind = mod.class.name.split('::').last
  answer = { kind: kind, owner: mod.owner, name: mod.name, directory: mod.path.to_s }
  FIELDS.fetch(kind).each { |key, variable| answer[key] = shown(mod.instance_variable_get(variable)) }
  answer[:version] = shown(mod.instance_variable_get(:@args)[:version]) if kind == 'Forge'
  answer.merge(exclude_spec: mod.instance_variable_get(:@exclude_spec))
end

def answer_of(text, directory)
  File.write(File.join(directory, 'Puppetfile'), text)
  loader = R10K::ModuleLoader::Puppetfile.new(basedir: directory)
  modules = loader.load![:modules].map { |one| described(one) }
  { moduledir: loader.moduledir, modules: modules }
rescue StandardError, ScriptError => error
  inner = error.respond_to?(:original) && error.original ? error.original : error
  { error: inner.message.lines.reject { |line| line.strip.empty? }.first.to_s.strip }
end

output = $stdout.dup
$stdout.reopen('/dev/null')
$stdin.each_line do |line|
  WARNINGS.clear
  Dir.mktmpdir do |outer|
    outer = File.realpath(outer)
    directory = File.join(outer, 'c')
    Dir.mkdir(directory)
    answer = answer_of(JSON.parse(line)['text'], directory)
    output.puts JSON.generate(answer.merge(warnings: WARNINGS)).gsub(outer, '')
  end
end
