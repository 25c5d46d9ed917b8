# frozen_string_literal: true

# What functions and templates use of Puppet itself. Whatever they seldom need stands in files of its
# own, which are loaded by the first use.
module Puppet
  {
    Context: 'context', DataBinding: 'data_binding', FileServing: 'file_serving', FileSystem: 'file_system', Settings: 'settings',
    Type: 'resource_type', Util: 'util'
  }.each { |name, file| autoload(name, "#{__dir__}/#{file}.rb") }

  # The base of what functions raise.
  class Error < RuntimeError
    attr_accessor :bunraku_id, :original

    def initialize(message, original = nil, *)
      super(message.to_s)
      @original = original
    end
  end

  # Errors that carry a place.
  module ExternalFileError
    attr_accessor :file, :line, :pos

    def to_s
      "#{super}#{Puppet::Util::Errors.error_location_with_space(file, line, pos)}"
    end
  end

  class DevError < Error
    include ExternalFileError
  end

  class ResourceError < Error
    include ExternalFileError
  end

  class ExecutionFailure < Error; end
  class MissingCommand < Error; end

  # An error with a place that the raiser knows; the text has it, too.
  class ParseError < Error
    include ExternalFileError

    def initialize(message, file = nil, line = nil, pos = nil, original = nil)
      file, line, pos, original = nil, nil, nil, file if file.is_a?(Exception)
      super(message, original)
      @plain = message.to_s
      @file = file if file.is_a?(String)
      @line = line if line.is_a?(Integer)
      @pos = pos if pos.is_a?(Integer)
    end

    # The text without the place.
    def bunraku_message
      @plain
    end
  end

  # The same with a code.
  class ParseErrorWithIssue < ParseError
    attr_reader :issue_code, :arguments

    def initialize(message, file = nil, line = nil, pos = nil, original = nil, issue_code = nil, arguments = nil)
      super(message, file, line, pos, original)
      @issue_code = issue_code
      @arguments = arguments
    end

    # An error of a kind of issue, at the place of the Puppet code that runs.
    def self.from_issue_and_stack(issue, arguments = {})
      file, line = Puppet::Pops::PuppetStack.top_of_stack
      new(issue.format(arguments), file, line, nil, nil, issue.issue_code, arguments)
    end

    def basic_message
      bunraku_message
    end
  end

  class PreformattedError < ParseErrorWithIssue; end

  # An error with data.
  class ErrorWithData < Error
    include ExternalFileError

    attr_reader :error_data

    def initialize(data, message)
      super(message)
      @error_data = data
    end
  end

  PUPPETVERSION = '8.10.0'
  # Settings whose values are symbols.
  SYMBOLS = %i[data_binding_terminus default_file_terminus node_terminus strict].freeze

  class << self
    %i[debug info notice warning err alert emerg crit].each do |level|
      define_method(level) do |*messages, &block|
        messages << block.call if block
        send_log(level, messages.join(' '))
      end
    end

    def send_log(level, message)
      Util::Log.create(level: level, message: message)
    end

    %i[deprecation_warning puppet_deprecation_warning warn_once log_exception log_and_raise format_exception].each do |name|
      define_method(name) { |*arguments, **options| LOGGER.public_send(name, *arguments, **options) }
    end

    # -- settings ----------------------------------------------------------------------------------

    def [](name)
      found = Bunraku.ask('setting', name.to_s)
      SYMBOLS.include?(name.to_sym) ? found&.to_sym : found
    end

    def settings
      Settings::OF_COMPILE
    end

    def run_mode
      @run_mode ||= Util::RunMode[:user]
    end

    def features
      Features
    end

    def version
      PUPPETVERSION
    end

    def minor_version
      version[/\A\d+\.\d+/]
    end

    def initialize_settings(*)
      nil
    end

    # -- what holds while code runs ----------------------------------------------------------------

    def lookup(name, &block)
      Context.bunraku_lookup(name.to_sym, &block)
    end

    def override(bindings, _description = '', &block)
      Context.bunraku_override(bindings, &block)
    end

    def push_context(bindings, _description = '')
      Context.bunraku_push(bindings)
    end

    def pop_context
      Context.bunraku_pop
    end
  end

  # Logs for the methods above.
  LOGGER = Class.new do
    %i[deprecation_warning puppet_deprecation_warning warn_once log_exception log_and_raise format_exception].each do |name|
      define_method(name) do |*arguments, **options|
        extend(Puppet::Util::Logging)
        options.empty? ? public_send(name, *arguments) : public_send(name, *arguments, **options)
      end
    end
  end.new

  # What the machine and Ruby can do.
  module Features
    LIBRARIES = { 'hiera_eyaml' => 'hiera/backend/eyaml/parser/parser', 'rubygems' => 'rubygems' }.freeze

    class << self
      def method_missing(name, *)
        case name
        when :posix?, :root? then name == :posix? || Process.uid.zero?
        when :microsoft_windows?, :cfpropertylist? then false
        when /\?\z/ then feature?(name.to_s.chomp('?'))
        else super
        end
      end

      def respond_to_missing?(name, include_private = false)
        name.to_s.end_with?('?') || super
      end

      def feature?(name)
        require LIBRARIES.fetch(name, name)
        true
      rescue LoadError
        false
      end

      def add(*)
        nil
      end
    end
  end

  module Parser
    # Files of modules.
    module Files
      class << self
        def find_template(name, _environment = nil)
          Bunraku.ask('file', 'templates', name.to_s)
        end

        def find_file(name, _environment = nil)
          Bunraku.ask('file', 'files', name.to_s)
        end

        def split_file_path(path)
          path.start_with?('/') || path.empty? ? nil : path.split('/', 2).values_at(0, 1)
        end
      end
    end
  end

  # Users and groups.
  module Etc
    class << self
      %i[getgrent getgrgid getgrnam setgrent endgrent group getpwent getpwnam getpwuid setpwent endpwent].each do |name|
        define_method(name) { |*arguments| ::Etc.public_send(name, *arguments) }
      end
    end
  end

  # Text in other languages: there is none.
  module GettextConfig
    def self.gettext_loaded?
      false
    end
  end
end

# Other programs of Puppet's.
Object.autoload(:Facter, "#{__dir__}/facter.rb")
Object.autoload(:Hiera, "#{__dir__}/hiera_3.rb")

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

# The library fast_gettext, which Puppet loads, keeps a text whose format names a value that is missing.
module TextWithMissingValues
  def %(values)
    super
  rescue KeyError
    self
  end
end
String.prepend(TextWithMissingValues)
