# frozen_string_literal: true

module Facter
  # A condition of a resolution: a block, or values that a fact may have.
  class Confine
    attr_accessor :fact, :values

    def initialize(fact = nil, *values, &block)
      raise ArgumentError, 'The fact name must be provided' unless fact || block
      raise ArgumentError, 'One or more values or a block must be provided' if values.empty? && !block

      @fact = fact
      @values = values
      @block = block
    end

    def true?
      return holds? unless @fact

      value = Values.comparable(Facter[@fact]&.value)
      return false if value.nil?

      @block ? holds?(value) : @values.any? { |one| Values.comparable(one) === value }
    end

    private

    # A block that fails does not hold.
    def holds?(*value)
      @block.call(*value) ? true : false
    rescue StandardError => e
      Log.new.debug("Confine raised #{e.class} #{e}")
      false
    end
  end

  # Conditions and weight of a way to find a value.
  module Suitable
    def has_weight(weight)
      @weight = weight
      self
    end

    def weight
      @weight || @confines.length
    end

    def confine(conditions = nil, &block)
      if conditions.is_a?(Hash)
        conditions.each { |fact, values| @confines.push(Confine.new(fact, *values)) }
      elsif block
        @confines.push(Confine.new(*[conditions].compact, &block))
      end
    end

    def suitable?
      @confines.all?(&:true?)
    end
  end

  # A way to find a value, with a time limit.
  module Resolvable
    attr_accessor :timeout
    attr_reader :logger

    def limit
      @timeout || 0
    end

    def on_flush(&block)
      @on_flush_block = block
    end

    def flush
      @on_flush_block&.call
    end

    def value
      Values.normalize(Timeout.timeout(limit) { resolve_value })
    rescue Timeout::Error => e
      Facter.log_exception(e, "Timed out after #{limit} seconds, the limit that the fact declares")
    rescue Values::NormalizationError => e
      Facter.log_exception(e, "Fact resolution #{qualified_name} resolved to an invalid value: #{e.message}")
    rescue StandardError => e
      Facter.log_exception(e, "#{prefix}#{e.message}")
      raise ResolveCustomFactError
    end

    private

    def prefix
      @name ? "resolution '#{@name}': " : ''
    end

    def qualified_name
      "fact='#{@fact.name}', resolution='#{@name || '<anonymous>'}'"
    end

    def take(options, accepted, kind)
      accepted.each { |name| instance_variable_set("@#{name}", options.delete(name)) if options.key?(name) }
      raise ArgumentError, "Invalid #{kind} options #{options.keys.inspect}" unless options.empty?
    end
  end

  module Util
    # A resolution with a block of code or a command.
    class Resolution
      extend Core::Execution
      singleton_class.send(:public, :which, :exec, :with_env)
      include Resolvable
      include Suitable

      attr_accessor :name, :code, :fact_type
      attr_reader :fact, :last_evaluated, :file
      attr_writer :value

      def initialize(name, fact)
        @name = name
        @fact = fact
        @confines = []
        @value = nil
        @timeout = 0
        @weight = nil
      end

      def resolution_type
        :simple
      end

      def options(options)
        take(options, %i[name value timeout weight fact_type file is_env], 'resolution')
      end

      def evaluate(&block)
        Log.new.warn("Already evaluated #{@name} at #{@last_evaluated}, reevaluating anyways") if @last_evaluated
        instance_eval(&block)
        @last_evaluated = block.source_location.join(':')
      end

      def setcode(command = nil, &block)
        raise ArgumentError, 'You must pass either code or a block' unless command || block

        @code = command ? proc { output_of(command) } : block
        self
      end

      private

      def output_of(command)
        output = Core::Execution.execute(command, on_fail: nil)
        output.nil? || output.empty? ? nil : output
      end

      def resolve_value
        @value.nil? ? @code&.call : @value
      end
    end
  end
end
