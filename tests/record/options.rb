# Reads calls of puppet apply as JSON lines {"words", "directory"} and writes exit code and output of
# each. Run by record_options.py; every call is a fork, so Puppet is loaded once.
require 'json'
require 'tempfile'
require 'puppet'
require 'puppet/application/apply'
require 'puppet/configurer'
require 'puppet/util/command_line'

STDOUT.sync = true
STDIN.each_line do |line|
  given = JSON.parse(line)
  output, errors = Tempfile.new, Tempfile.new
  pid = fork do
    Dir.chdir(given['directory'])
    $stdin.reopen('/dev/null')
    $stdout.reopen(output.path)
    $stderr.reopen(errors.path)
    Puppet::Util::CommandLine.new('puppet', ['apply', *given['words']]).execute
  end
  Process.wait(pid)
  puts JSON.generate('exit' => $?.exitstatus, 'stdout' => File.read(output.path), 'stderr' => File.read(errors.path))
end
