# frozen_string_literal: true

# What functions and templates commonly use of Puppet itself.
module Puppet
  # The base of what functions raise.
  class Error < RuntimeError
    attr_accessor :bunraku_id, :original, :file, :line

    def initialize(message, original = nil, *)
      super(message.to_s)
      @original = original
    end
  end

  class DevError < Error; end
  class ArgumentError < Error; end
  class ExecutionFailure < Error; end
  class MissingCommand < Error; end
  class InvalidUrlError < Error; end
  class ResourceError < Error; end
  class PreformattedError < Error; end

  # An error with a place that the raiser knows.
  class ParseError < Error
    def initialize(message, file = nil, line = nil, *)
      super(message)
      @file = file if file.is_a?(String)
      @line = line if line.is_a?(Integer)
    end
  end

  ParseErrorWithIssue = ParseError

  class << self
    %i[debug info notice warning err alert emerg crit].each do |level|
      define_method(level) do |*messages, &block|
        messages << block.call if block
        text = messages.join(' ')
        Bunraku.ask('log', level.to_s, Bunraku.encode(text))
        level == :debug ? nil : text
      end
    end

    def [](name)
      found = Bunraku.ask('setting', name.to_s)
      SYMBOLS.include?(name.to_sym) ? found&.to_sym : found
    end

    def settings
      Settings
    end

    def version
      PUPPETVERSION
    end

    def lookup(name)
      scope = Parser::Scope.current
      case name.to_sym
      when :current_environment then scope.environment
      when :global_scope then scope.bunraku_ask('top_scope')
      when :trusted_information then Struct.new(:to_h).new(scope.lookupvar('::trusted'))
      else
        return yield if block_given?

        raise Error, "Puppet.lookup(:#{name}) is not known when bunraku runs a module's Ruby code"
      end
    end

    def override(*)
      yield
    end

    def features
      Features
    end

    def deprecation_warning(message, _key = nil)
      warning(message)
    end

    def warn_once(_kind, _key, message, *)
      warning(message)
    end

    def log_exception(error, message = nil, *)
      err(message.is_a?(String) ? message : error.message)
    end

    def puts_deprecation_warning(message, *)
      warning(message)
    end
  end

  PUPPETVERSION = '8.10.0'
  SYMBOLS = %i[strict].freeze # settings whose values are symbols

  # The settings, by name.
  module Settings
    def self.[](name)
      Puppet[name]
    end

    def self.value(name, *)
      Puppet[name]
    end
  end

  # What the machine and Ruby can do.
  module Features
    def self.method_missing(name, *)
      case name
      when :posix?, :root? then name == :posix? || Process.uid.zero?
      when :microsoft_windows? then false
      when /\?\z/ then feature?(name.to_s.chomp('?'))
      else super
      end
    end

    def self.respond_to_missing?(name, include_private = false)
      name.to_s.end_with?('?') || super
    end

    def self.feature?(name)
      require name
      true
    rescue LoadError
      false
    end
  end

  # Helpers of many kinds.
  module Util
    # A set of tags.
    class TagSet
      include Enumerable

      def initialize(tags)
        @tags = tags.uniq
      end

      def each(&block)
        @tags.each(&block)
      end

      def include?(tag)
        @tags.include?(tag.to_s)
      end

      def size
        @tags.size
      end
      alias length size

      def empty?
        @tags.empty?
      end

      def join(*arguments)
        @tags.join(*arguments)
      end

      def to_s
        @tags.join(',')
      end

      def inspect
        "#<Puppet::Util::TagSet: {#{@tags.map(&:inspect).join(', ')}}>"
      end
    end

    # Errors with a place.
    module Errors
      def fail(*arguments)
        raise(*arguments) if arguments[0].is_a?(Class) || arguments[0].is_a?(Exception)

        raise Puppet::Error, arguments.join(' ')
      end

      def devfail(message)
        raise Puppet::DevError, message
      end
    end

    # Logging as methods.
    module Logging
      %i[debug info notice warning err].each do |level|
        define_method(level) { |*arguments, &block| Puppet.public_send(level, *arguments, &block) }
      end
    end

    module Warnings; end
    module MethodHelper; end

    # The kind of machine.
    module Platform
      def self.windows?
        false
      end

      def self.actually_windows?
        false
      end

      def self.jruby?
        false
      end
    end

    # Versions of packages.
    module Package
      def versioncmp(left, right, *)
        Bunraku.ask('function', nil, 'versioncmp', [Bunraku.encode(left), Bunraku.encode(right)], nil)
      end
      module_function :versioncmp
    end

    # Digests.
    module Checksums
      def md5(text)
        require 'digest'
        Digest::MD5.hexdigest(text)
      end

      def sha1(text)
        require 'digest'
        Digest::SHA1.hexdigest(text)
      end

      def sha256(text)
        require 'digest'
        Digest::SHA256.hexdigest(text)
      end
      module_function :md5, :sha1, :sha256
    end

    # JSON and YAML.
    module Json
      def self.load(text, options = {})
        JSON.parse(text, options)
      end

      def self.dump(value, options = nil)
        options && options[:pretty] ? JSON.pretty_generate(value) : JSON.generate(value)
      end
    end

    # YAML without objects.
    module Yaml
      class YamlLoadError < Puppet::Error; end

      def self.safe_load(text, classes = [], _file = nil)
        require 'yaml'
        YAML.safe_load(text, permitted_classes: classes, aliases: true)
      rescue ::Psych::Exception => e
        raise YamlLoadError, e.message
      end

      def self.safe_load_file(path, classes = [])
        safe_load(File.read(path), classes, path)
      end
    end

    # Running programs.
    module Execution
      # What a program wrote, and how it ended.
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, status)
          super(text)
          @exitstatus = status
        end
      end

      def self.execute(command, options = {})
        text = IO.popen(options[:custom_environment] || {}, command, err: options[:combine] == false ? File::NULL : %i[child out], &:read)
        status = $?.exitstatus
        shown = options[:sensitive] ? '[redacted]' : Array(command).join(' ')
        raise Puppet::ExecutionFailure, "'#{shown}' ended with status #{status}" if status != 0 && options.fetch(:failonfail, true)

        ProcessOutput.new(text, status)
      rescue Errno::ENOENT => e
        raise Puppet::ExecutionFailure, e.message
      end

      def self.execpipe(command, _failonfail = true)
        yield IO.popen(Array(command).join(' '), err: %i[child out])
      end
    end

    class << self
      def which(name)
        return (name if File.executable?(name) && File.file?(name)) if name.include?('/')

        ENV.fetch('PATH', '').split(':').map { |dir| File.join(dir, name) }.find { |path| File.executable?(path) && File.file?(path) }
      end

      def execute(*arguments)
        Execution.execute(*arguments)
      end

      def absolute_path?(path, platform = nil)
        platform == :windows ? path.match?(%r{\A(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/])}) : path.start_with?('/')
      end

      def symbolizehash(hash)
        hash.transform_keys { |key| key.to_s.to_sym }
      end

      def uri_encode(path, *)
        require 'erb'
        path.split('/', -1).map { |part| ERB::Util.url_encode(part) }.join('/')
      end
    end
  end

  # Files.
  module FileSystem
    class << self
      def exist?(path)
        File.exist?(path)
      end

      def file?(path)
        File.file?(path)
      end

      def directory?(path)
        File.directory?(path)
      end

      def read(path, options = {})
        File.read(path, **options)
      end

      def binread(path)
        File.binread(path)
      end

      def pathname(path)
        require 'pathname'
        Pathname.new(path)
      end

      def basename_string(path)
        File.basename(path.to_s)
      end

      def children(path)
        pathname(path).children
      end

      def each_line(path, &block)
        File.foreach(path, &block)
      end
    end
  end

  module Parser
    # Files of modules.
    module Files
      def self.find_template(name, _environment = nil)
        Bunraku.ask('file', 'templates', name.to_s)
      end

      def self.find_file(name, _environment = nil)
        Bunraku.ask('file', 'files', name.to_s)
      end
    end
  end
end

# The facts of the node, as a compile on that node itself would have them.
module Facter
  Fact = Struct.new(:name, :value)

  class << self
    def value(name)
      Bunraku.ask('fact', name.to_s)
    end

    def [](name)
      found = value(name)
      found.nil? ? nil : Fact.new(name.to_s, found)
    end
    alias fact []

    def to_hash
      Bunraku.ask('facts')
    end

    def version
      '4.10.0'
    end

    %i[debug warn].each { |level| define_method(level) { |text| Puppet.public_send(level == :warn ? :warning : level, text) } }
  end
end

# Messages may be marked for translation; they stay as they are.
module Kernel
  private

  def _(message)
    message
  end
  alias N_ _

  def n_(one, many, count)
    count == 1 ? one : many
  end

  def s_(message)
    message.split('|').last
  end
end
