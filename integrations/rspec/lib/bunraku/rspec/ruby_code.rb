# frozen_string_literal: true

require 'digest/sha2'

module Bunraku
  module RSpec
    # Names the Ruby code that resource types and matchers run, by the states of its files.
    module RubyCode
      @names = {}

      class << self
        # Returns the name for the modules in some directories: their libraries, the specs, which can replace parts of
        # them, Puppet and rspec-puppet.
        def name(directories)
          @names[directories] ||= Digest::SHA256.hexdigest(
            Marshal.dump([versions, ENV['PATH'], Process.euid, states(libraries(directories) + specs)])
          )
        end

        private

        def versions
          bases = [Puppet::Type.method(:type), ::RSpec::Puppet::Support.instance_method(:subject)]
          [RUBY_DESCRIPTION, VERSION, Puppet.version, Gem.loaded_specs.values.map(&:full_name).sort,
           states(Dir["#{__dir__}/*.rb"] + bases.map { |one| one.source_location.first })]
        end

        def libraries(directories)
          directories.flat_map { |one| Dir["#{one}/*/lib/**/*.rb"] }
        end

        def specs
          suite = "#{Dir.pwd}/spec/"
          helpers = $LOADED_FEATURES.select { |one| one.start_with?(suite) && !one.include?('/fixtures/') }
          (::RSpec.configuration.files_to_run + helpers).uniq
        end

        def states(paths)
          paths.select { |one| File.file?(one) }.sort.map do |one|
            File.stat(one).then { |status| [one, status.mtime.to_r, status.size] }
          end
        end
      end
    end
  end
end
