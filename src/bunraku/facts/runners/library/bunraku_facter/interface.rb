# frozen_string_literal: true

# The methods that facts call.
module Facter
  # A fact as it is answered to a question.
  class ResolvedFact
    attr_reader :name, :value
    alias user_query name

    def initialize(name, value)
      @name = name
      @value = value
    end

    def to_s
      value.to_s
    end
  end

  @external = {}
  @answers = {}
  @settings = { trace: false, sequential: true, http_debug: false }

  class << self
    attr_writer :external

    def add(name, options = {}, &block)
      Progress.note(name, caller_locations(1, 1).first)
      options[:fact_type] = :custom
      collected.add(name, options, &block)
      false
    end

    def define_fact(name, options = {}, &block)
      Progress.note(name, caller_locations(1, 1).first)
      options[:fact_type] = :custom
      collected.define_fact(name, options, &block)
    end

    def value(name)
      fact(name)&.value
    end

    # The fact or part of a fact of a name; nil if there is none. Answers are kept.
    def fact(name)
      name = name.to_s.downcase
      @answers[name] = ResolvedFact.new(name, find(name)) unless @answers.include?(name)
      @answers[name]
    rescue KeyError, TypeError
      nil
    end
    alias [] fact

    # All structured, custom and external facts.
    def to_hash
      collected.load_files
      facts = Machine.structured.dup
      collected.each do |name, fact|
        value = fact.value
        facts[name] = Values.with_text_keys(value) unless value.nil?
      end
      facts
    end

    def list
      to_hash.keys.sort
    end

    def each(&block)
      to_hash.each(&block)
      self
    end

    def loadfacts
      collected.load_all
      nil
    end

    def flush
      collected.flush
      nil
    end

    def clear
      Log.once.clear
      @answers = {}
      flush
      reset
    end

    def reset
      @collected = nil
      Loader.directories = []
          nil
    end

    def search(*directories)
      Loader.directories += directories
      nil
    end

    def search_path
      Loader.directories
    end

    # Bunraku reads external facts before those in Ruby.
    def search_external(directories)
      warn("external facts in #{Array(directories).join(', ')} are not read: name them by --external-dir")
    end

    def search_external_path
      []
    end

    # External facts are among those that bunraku collects.
    def load_external(_enable)
      nil
    end

    def version
      VERSION
    end

    def debug(message)
      Log.new.debug(message.to_s)
    end

    def debugonce(message)
      Log.new.debugonce(message)
      nil
    end

    def warn(message)
      Log.new.warn(message.to_s)
      nil
    end

    def warnonce(message)
      Log.new.warnonce(message)
      nil
    end

    def log_exception(exception, message = nil)
      text = message.to_s.empty? ? exception.to_s : message.to_s
      Progress.message(text, exception)
      nil
    end

    def on_message(&block)
      Log.listener = block
      nil
    end

    def clear_messages
      Log.once.clear
    end

    def debugging?
      Log.debugging
    end

    def debugging(enable)
      Log.debugging = enable
    end

    %i[trace sequential http_debug].each do |name|
      define_method("#{name}?") { @settings[name] }
    end

    def trace(enable)
      @settings[:trace] = enable
    end

    def http_debug(enable)
      @settings[:http_debug] = enable
    end

    def enable_sequential
      @settings[:sequential] = true
    end

    def disable_sequential
      @settings[:sequential] = false
    end

    # The facts that are defined.
    def collected
      @collected ||= Collection.new(@external)
    end

    private

    # The value of a fact; KeyError or TypeError if there is none. Files are loaded until it is found: that of
    # the fact's name first, and all others if not even the machine has a fact of the name.
    def find(name)
      collected.load(name)
      collected.load_files unless collected.defined(name) || Machine.fact?(name)
      root = name.partition('.').first
      fact = collected.defined(name)
      return Values.with_text_keys(fact.value) if fact

      parent = collected.defined(root)
      parent_value = parent&.value
      return Values.part({ root => Values.with_text_keys(parent_value) }, name) unless parent_value.nil?

      found = Machine.value(name)
      found.nil? ? raise(KeyError) : found
    end

    # As in Facter, a missing method is an error in the log, not an exception.
    def method_missing(name, *arguments, &block)
      Log.new.error("--#{name}-- not implemented but required with params: #{arguments.inspect}")
      nil
    end

    def respond_to_missing?(*)
      false
    end
  end
end
