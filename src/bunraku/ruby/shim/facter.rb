# frozen_string_literal: true

# The facts of the node, as a compile on that node itself would have them.
module Facter
  # A fact with its value.
  Fact = Struct.new(:name, :value)
  VERSION = '4.10.0'

  # Running programs.
  module Core
    # As Facter does it.
    module Execution
      class ExecutionFailure < StandardError; end

      class << self
        def which(name)
          Puppet::Util.which(name)
        end

        def execute(command, options = {})
          output = IO.popen(['/bin/sh', '-c', command], err: File::NULL, in: File::NULL, &:read)
          return output.strip unless options[:on_fail] && output.empty? && $?.exitstatus == 127

          options[:on_fail] == :raise ? raise(ExecutionFailure, "Failed while executing '#{command}'") : options[:on_fail]
        end

        def exec(command)
          execute(command)
        end

        def execute_command(command, *)
          require 'open3'
          output, errors, = Open3.capture3(command)
          [output.strip, errors.strip]
        end

        def absolute_path?(path, platform = nil)
          Puppet::Util.absolute_path?(path, platform)
        end
      end
    end
  end

  # Older names of the same.
  module Util
    # Running programs.
    module Resolution
      def self.exec(command)
        Core::Execution.execute(command)
      end

      def self.which(name)
        Core::Execution.which(name)
      end
    end
  end

  class << self
    def value(name)
      name = name.to_s.downcase
      found = Bunraku.ask('fact', name)
      return found unless found.nil? && name.include?('.')

      name.split('.').inject(to_hash) do |level, part|
        case level
        when Hash then level[part]
        when Array then part.match?(/\A\d+\z/) ? level[part.to_i] : nil
        end
      end
    end

    def [](name)
      found = value(name)
      found.nil? ? nil : Fact.new(name.to_s, found)
    end
    alias fact []

    def to_hash
      Bunraku.ask('facts')
    end
    alias to_h to_hash

    def list
      to_hash.keys.sort
    end

    def each(&block)
      to_hash.each(&block)
    end

    def version
      VERSION
    end

    # Facts are those of the node: nothing that code adds here counts.
    %i[add search reset clear flush loadfacts].each { |name| define_method(name) { |*| nil } }

    def debugging?
      false
    end

    { debug: :debug, info: :info, warn: :warning, error: :err }.each do |name, level|
      define_method(name) do |text = nil, &block|
        Puppet.send_log(level, text || block.call)
        nil
      end
    end

    def debugonce(text)
      Puppet::Util::Warnings.debug_once(text)
    end

    def warnonce(text)
      Puppet::Util::Warnings.warnonce(text)
    end

    def log_exception(error, message = nil)
      Puppet.log_exception(error, message)
    end
  end
end
