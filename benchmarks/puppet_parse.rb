# usage: ruby puppet_parse.rb RUNS < LIST_OF_FILES
# Real Puppet: parse and validate every file, RUNS times in one process; one JSON line.
require 'puppet'
require 'puppet/pops'
require 'json'
require 'tmpdir'
require 'fileutils'
scratch = Dir.mktmpdir
at_exit { FileUtils.rm_rf(scratch) }
Puppet.initialize_settings(['--confdir', "#{scratch}/conf", '--vardir', "#{scratch}/var"])
Puppet::Util::Log.level = :crit
texts = $stdin.read.split("\n").map { |path| [path, File.read(path, encoding: 'UTF-8')] }
parser = Puppet::Pops::Parser::EvaluatingParser.new
seconds = Array.new((ARGV[0] || 3).to_i) do
  GC.start
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  texts.each do |path, text|
    begin
      parser.parse_string(text, path)
    rescue Puppet::Error
      next # a file that is wrong takes its time too
    end
  end
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
end
puts JSON.generate(seconds: seconds.min, bytes: texts.sum { |_path, text| text.bytesize }, files: texts.size)
