# frozen_string_literal: true

require 'digest/sha2'
require 'fileutils'

module Bunraku
  module RSpec
    # Keeps the instructions that Ruby makes of files outside of the suite: Puppet, Facter, rspec-puppet.
    #
    # An entry is named by the path, time and size of the file, and by the Ruby. Whoever can write an entry runs code as
    # this user, so the folder must belong to the user, and be writable by no other.
    class CompiledRuby
      OFF = 'BUNRAKU_NO_CACHE'
      FOR_OTHERS = 0o022

      class << self
        # Uses the cache from here on, unless this Ruby cannot, or another library does the same.
        def install
          return if !ENV[OFF].to_s.empty? || $VERBOSE || !defined?(RubyVM::InstructionSequence)
          return if RubyVM::InstructionSequence.respond_to?(:load_iseq)

          folder = private_folder
          return unless folder

          @cache = cache = new(folder, "#{Dir.pwd}/")
          RubyVM::InstructionSequence.define_singleton_method(:load_iseq) { |path| cache.load(path) }
        end

        # Notes that a file is loaded, as `require` does. Ruby 3.1 looks at all loaded files again after each change of
        # `$LOADED_FEATURES` by other code.
        def provide(path)
          @cache&.provide(path)
        end

        private

        def private_folder
          base = ENV['XDG_CACHE_HOME'].to_s
          base = File.expand_path('~/.cache') unless base.start_with?('/')
          folder = "#{base}/bunraku/ruby"
          FileUtils.mkdir_p(folder, mode: 0o700)
          folder if private?(File.dirname(folder)) && private?(folder)
        rescue SystemCallError, ArgumentError # no home
          nil
        end

        def private?(folder)
          status = File.lstat(folder)
          status.directory? && status.owned? && (status.mode & FOR_OTHERS).zero?
        end
      end

      def initialize(folder, suite)
        @folder = folder
        @suite = suite
        @ruby = [RUBY_DESCRIPTION, RubyVM::InstructionSequence.compile_option].join
      end

      # Returns the instructions of a file; nil for one that Ruby must read itself.
      def load(path)
        return RubyVM::InstructionSequence.compile('') if path == @provided
        return if path.start_with?(@suite) || (defined?(::Coverage) && ::Coverage.running?)

        status = File.stat(path)
        entry = "#{@folder}/#{Digest::SHA256.hexdigest("#{@ruby}\0#{path}\0#{status.mtime.to_r}\0#{status.size}")}"
        read(entry) || write(entry, path)
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

      def read(entry)
        File.open(entry, File::RDONLY | File::NOFOLLOW) do |file|
          file.binmode
          RubyVM::InstructionSequence.load_from_binary(file.read) if file.stat.owned?
        end
      rescue Errno::ENOENT, RuntimeError # RuntimeError: cut short
        nil
      end

      def write(entry, path)
        code = RubyVM::InstructionSequence.compile_file(path)
        temporary = "#{entry}.#{Process.pid}"
        File.open(temporary, File::WRONLY | File::CREAT | File::EXCL, 0o600) { |file| file.binmode.write(code.to_binary) }
        File.rename(temporary, entry)
        code
      end
    end
  end
end
