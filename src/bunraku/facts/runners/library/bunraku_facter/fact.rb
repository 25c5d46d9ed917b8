# frozen_string_literal: true

module Facter
  module Util
    # A custom or external fact with its resolutions.
    class Fact
      KINDS = { simple: Resolution, aggregate: Core::Aggregate }.freeze

      attr_accessor :ldapname, :options, :used_resolution_weight
      attr_reader :name, :location

      def initialize(name, options = {})
        @name = name.to_s.downcase.to_sym
        @options = options.dup
        @ldapname = @name.to_s
        @resolves = []
        @searching = false
        @used_resolution_weight = 0
        extract_ldapname_option!(options)
      end

      def add(options = {}, &block)
        @options = @options.merge(options)
        @location = options[:file] || block&.source_location
        define_resolution(nil, options, &block)
      end

      # Errors end the file that defines the fact.
      def define_resolution(name, options = {}, &block)
        found = find_or_make(name, options.delete(:type) || :simple)
        found.options(options) unless options.empty?
        found.evaluate(&block) if block
        found
      end

      def resolution(name)
        name && @resolves.find { |one| one.name == name }
      end

      def flush
        @resolves.each(&:flush)
        @value = nil
      end

      # The declared limits, with a second for each in which Ruby itself ends the resolution; nil without any.
      def limit
        limits = @resolves.map(&:limit).select(&:positive?)
        limits.empty? ? nil : limits.sum + limits.size
      end

      # The value is kept; nil is computed again. The machine's fact wins over one without a weight.
      def value
        return @value unless @value.nil?
        return nil if @resolves.empty? || Machine.dropped?(@name)

        file = Progress.files[@name.to_s]
        file ? watched(file) { find_value } : find_value
      end

      def extract_ldapname_option!(options)
        return unless options[:ldapname]

        Log.new.warnonce('ldapname is deprecated and will be removed in a future version')
        self.ldapname = options.delete(:ldapname)
      end

      private

      def find_or_make(name, type)
        found = resolution(name)
        return found if found && found.resolution_type == type

        if found
          raise ArgumentError, "Cannot return resolution #{name} with type #{type}; " \
                               "already defined as #{found.resolution_type}"
        end
        unless KINDS.include?(type)
          raise ArgumentError, "Expected resolution type to be one of (:simple, :aggregate) but was #{type}"
        end

        @resolves.push(KINDS[type].new(name, self)).last
      end

      # Report the messages of the fact, and errors that no resolution handles.
      def watched(file)
        result = error = nil
        Progress.within(self, file) do
          result = yield
        rescue StandardError, ScriptError, SystemStackError, SystemExit => e
          Progress.message(Progress.text_of(e), e)
          error = e
        ensure
          Progress.tell(result.nil?)
        end
        error && Progress.nested? ? raise(error) : result
      end

      def find_value
        raise "Caught recursion on #{@name}" if @searching

        begin
          @searching = true
          @value = first_value(@resolves.select(&:suitable?))
          machine = Machine.value(@name.to_s) if @value.nil? || @used_resolution_weight <= 0
          @value = machine unless machine.nil?
          @value
        ensure
          @searching = false
        end
      end

      # The value of the heaviest resolution that has one. An error ends the search.
      def first_value(resolutions)
        ordered = resolutions.each_with_index.sort_by { |one, index| [-one.weight, external?(one) ? 0 : 1, index] }
        ordered.each do |one, _|
          found = one.value
          @used_resolution_weight = one.weight
          return found unless found.nil?
        end
        nil
      rescue ResolveCustomFactError
        nil
      end

      def external?(resolution)
        resolution.fact_type == :external
      end
    end
  end
end
