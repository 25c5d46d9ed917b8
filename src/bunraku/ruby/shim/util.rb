# frozen_string_literal: true

module Puppet
  # Helpers of many kinds. Its modules stand in util_*.rb.
  module Util
    {
      Checksums: 'util_checksums', CharacterEncoding: 'util_values', Execution: 'util_execution', Json: 'util_values', Package: 'util_values',
      Platform: 'util_machine', Profiler: 'util_machine', RunMode: 'util_machine', SymbolicFileMode: 'util_file_mode', TagSet: 'util_tags',
      Tagging: 'util_tags', Yaml: 'util_values', Errors: 'util_errors', Log: 'util_logging', Logging: 'util_logging', Warnings: 'util_logging'
    }.each { |name, file| autoload(name, "#{__dir__}/#{file}.rb") }

    module MethodHelper; end
    module MonkeyPatches; end

    # The description of a class.
    module Docs
      attr_writer :doc

      def desc(text)
        @doc = text
      end

      def doc
        @doc.to_s
      end

      # Further text of the description, made when it is asked for.
      def dochook(name, &text)
        define_singleton_method("dochook_#{name}", &text)
      end
    end

    # Methods of a class that log at each level, as the object itself or as Puppet.
    def self.logmethods(owner, useself = true) # rubocop:disable Style/OptionalBooleanParameter
      Log.eachlevel do |level|
        owner.send(:define_method, level) do |messages|
          source = useself ? { source: self } : {}
          Log.create(level: level, message: Array(messages).join(' '), **source)
        end
      end
    end

    AbsolutePathWindows = %r{\A(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/?]+[\\/][^\\/]+|[\\/]{2}\?[\\/][^\\/]+)}.freeze
    AbsolutePathPosix = %r{\A/}.freeze

    # -- chance that is the same for the same seed ---------------------------------------------------

    def deterministic_rand(seed, max)
      deterministic_rand_int(seed, max).to_s
    end
    module_function :deterministic_rand

    def deterministic_rand_int(seed, max)
      Random.new(seed).rand(max)
    end
    module_function :deterministic_rand_int

    # -- paths and addresses -------------------------------------------------------------------------

    def which(name)
      runs = ->(path) { File.file?(path) && File.executable?(path) }
      return (name if runs.call(name)) if name.include?('/')

      ENV.fetch('PATH', '').split(':').map { |folder| File.expand_path(File.join(folder, name)) }.find(&runs)
    end
    module_function :which

    def absolute_path?(path, platform = nil)
      (platform == :windows ? AbsolutePathWindows : AbsolutePathPosix).match?(path)
    end
    module_function :absolute_path?

    def path_to_uri(path)
      URI::Generic.build(scheme: 'file', path: uri_encode(path))
    end
    module_function :path_to_uri

    def uri_to_path(uri)
      uri.is_a?(URI::Generic) ? URI::DEFAULT_PARSER.unescape(uri.path) : nil
    end
    module_function :uri_to_path

    def uri_query_encode(text)
      URI.encode_www_form_component(text).gsub('+', '%20')
    end
    module_function :uri_query_encode

    # What separates the parts of an address stays.
    def uri_encode(path, options = {})
      kept = options[:allow_fragment] ? '#' : ''
      path.to_s.b.gsub(%r{[^a-zA-Z0-9_.!~*'();/?:@&=+$,\-\[\]%#{kept}]}n) { |byte| format('%%%02X', byte.ord) }.force_encoding(Encoding::UTF_8)
    end
    module_function :uri_encode

    def rfc2396_escape(text)
      uri_encode(text)
    end
    module_function :rfc2396_escape

    # -- the environment of the process --------------------------------------------------------------

    def default_env
      :posix
    end
    module_function :default_env

    def get_env(name, _mode = default_env)
      ENV[name]
    end
    module_function :get_env

    def get_environment(_mode = default_env)
      ENV.to_hash
    end
    module_function :get_environment

    def set_env(name, value = nil, _mode = default_env)
      ENV[name] = value
    end
    module_function :set_env

    def merge_environment(variables, _mode = default_env)
      variables.each { |name, value| ENV[name.to_s] = value }
    end
    module_function :merge_environment

    def clear_environment(_mode = default_env)
      ENV.clear
    end
    module_function :clear_environment

    def withenv(variables, _mode = default_env)
      before = ENV.to_hash
      merge_environment(variables)
      yield
    ensure
      ENV.replace(before)
    end
    module_function :withenv

    def withumask(mask)
      before = File.umask(mask)
      yield
    ensure
      File.umask(before)
    end
    module_function :withumask

    # -- the rest ------------------------------------------------------------------------------------

    def symbolizehash(hash)
      hash.transform_keys { |key| key.to_s.to_sym }
    end
    module_function :symbolizehash

    def thinmark
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      yield
      Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
    end
    module_function :thinmark

    def benchmark(*arguments)
      yield if block_given? && arguments
    end
    module_function :benchmark

    def create_erb(text)
      require 'erb'
      ERB.new(text, trim_mode: '-')
    end
    module_function :create_erb

    def exit_on_fail(message, _code = 1)
      yield
    rescue ArgumentError, RuntimeError, NotImplementedError => e
      Puppet.log_exception(e, "#{message}: #{e}")
      raise
    end
    module_function :exit_on_fail

    # Write a file so that readers see the old content or the new one.
    def replace_file(file, mode = 0o640, &block)
      made = "#{file}.#{Process.pid}.tmp"
      File.open(made, 'wb', mode, &block)
      File.rename(made, file)
    ensure
      File.unlink(made) if File.exist?(made)
    end
    module_function :replace_file

    def pretty_backtrace(backtrace = caller(1), *)
      backtrace.is_a?(Array) ? backtrace.join("\n") : backtrace.to_s
    end
    module_function :pretty_backtrace

    def uid(name)
      name.is_a?(Integer) ? name : ::Etc.getpwnam(name).uid
    rescue ArgumentError
      nil
    end
    module_function :uid

    def gid(name)
      name.is_a?(Integer) ? name : ::Etc.getgrnam(name).gid
    rescue ArgumentError
      nil
    end
    module_function :gid

    # Formats texts that are written for people.
    module Docs
      # A text without the indentation that all of its lines share.
      def self.scrub(text)
        lines = text.lines
        indent = lines.reject { |line| line.strip.empty? }.map { |line| line[/\A\s*/].length }.min || 0
        lines.map { |line| line.strip.empty? ? "\n" : line[indent..] }.join.strip
      end
    end
  end
end
