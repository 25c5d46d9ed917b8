# frozen_string_literal: true

require_relative 'cache'

module Bunraku
  module RSpec
    # Keeps the instructions that Ruby makes of files outside of the suite: Puppet, Facter, rspec-puppet.
    class CompiledRuby
      class << self
        # Uses the cache from here on, unless this Ruby cannot, or another library does the same.
        def install
          return if $VERBOSE || !defined?(RubyVM::InstructionSequence) || Cache.instance.nil?
          return if RubyVM::InstructionSequence.respond_to?(:load_iseq)

          @files = files = new(Cache.instance, "#{Dir.pwd}/")
          RubyVM::InstructionSequence.define_singleton_method(:load_iseq) { |path| files.load(path) }
        end

        # Notes that a file is loaded, as `require` does. Ruby 3.1 resolves the paths of all loaded files again after each
        # change of `$LOADED_FEATURES` by other code.
        def provide(path)
          @files&.provide(path) if RUBY_VERSION.start_with?('3.1.')
        end
      end

      def initialize(cache, suite)
        @cache = cache
        @suite = suite
        @ruby = [RUBY_DESCRIPTION, RubyVM::InstructionSequence.compile_option].join
      end

      # Returns the instructions of a file; nil for one that Ruby must read itself.
      def load(path)
        return RubyVM::InstructionSequence.compile('') if path == @provided
        return if path.start_with?(@suite) || (defined?(::Coverage) && ::Coverage.running?)

        status = File.stat(path)
        name = [@ruby, path, status.mtime.to_r, status.size]
        read(name) || write(name, path)
      rescue SyntaxError, SystemCallError
        nil
      end

      def provide(path)
        @provided = path
        Kernel.require(path)
      ensure
        @provided = nil
      end

      private

      def read(name)
        content = @cache.read(*name)
        RubyVM::InstructionSequence.load_from_binary(content) if content
      rescue RuntimeError # cut short
        nil
      end

      def write(name, path)
        RubyVM::InstructionSequence.compile_file(path).tap { |code| @cache.write(code.to_binary, *name) }
      end
    end
  end
end
