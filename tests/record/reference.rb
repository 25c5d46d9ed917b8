# Makes a process of real Puppet that compiles many catalogs answer as a new process does; load it with `ruby -r`.
#
# A module may need the libraries that a server has loaded. Puppet logs some warnings once in a process.
require 'facter'
require 'puppet'
require 'puppet/resource_api'
require 'puppet/parser/compiler'

# Forgets at the start of each compile which warnings were logged.
module WarningsOfEachCompile
  def initialize(*arguments, **options)
    $unique_warnings&.clear
    super
  end
end

Puppet::Parser::Compiler.prepend(WarningsOfEachCompile)
