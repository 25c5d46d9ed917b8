# frozen_string_literal: true

require 'tsort'

module Facter
  module Core
    # A resolution in parts, the chunks; without a block their hashes and arrays are merged.
    class Aggregate
      class DependencyError < StandardError; end
      class MissingVertex < StandardError; end

      # The order of chunks: each comes after those that it requires.
      class Order
        include TSort

        def initialize(requirements)
          @requirements = requirements
          missing = requirements.values.flatten - requirements.keys
          return if missing.empty?

          raise MissingVertex, "Cannot sort elements; cannot depend on missing elements #{missing.uniq}"
        end

        def names
          cycles = strongly_connected_components.select { |component| component.size > 1 }
          return tsort if cycles.empty?

          raise DependencyError, "Could not order chunks; found the following dependency cycles: #{cycles.inspect}"
        end

        def tsort_each_node(&block)
          @requirements.each_key(&block)
        end

        def tsort_each_child(name, &block)
          @requirements.fetch(name, []).each(&block)
        end
      end

      include Resolvable
      include Suitable

      attr_reader :name, :fact_type, :confines, :fact

      def initialize(name, fact)
        @name = name
        @fact = fact
        @confines = []
        @chunks = {}
        @requirements = {}
        @aggregate = nil
      end

      def resolution_type
        :aggregate
      end

      def options(options)
        take(options, %i[name timeout weight fact_type], 'aggregate')
      end

      def evaluate(&block)
        instance_eval(&block)
      end

      def chunk(name, options = {}, &block)
        raise ArgumentError, "#{self.class.name}#chunk requires a block" unless block
        raise ArgumentError, "#{self.class.name}#expected chunk name to be a Symbol" unless name.is_a?(Symbol)

        required = Array(options.delete(:require))
        unless options.empty?
          raise ArgumentError, "Unexpected options passed to #{self.class.name}#chunk: #{options.keys.inspect}"
        end

        @requirements[name] = required
        @chunks[name] = block
        self
      end

      def aggregate(&block)
        raise ArgumentError, "#{self.class.name}#aggregate requires a block" unless block

        @aggregate = block
        self
      end

      private

      def resolve_value
        results = {}
        Order.new(@requirements).names.each do |name|
          value = @chunks[name].call(*results.values_at(*@requirements[name]))
          results[name] = Values.deep_freeze(value)
        end
        @aggregate ? @aggregate.call(results) : merged(results.values)
      end

      def merged(values)
        values.inject { |one, two| Values.deep_merge(one, two) }
      rescue Values::DeepMergeError => e
        raise ArgumentError, "Could not deep merge all chunks (Original error: #{e.message}), ensure that chunks " \
                             'return either an Array or Hash or override the aggregate block', e.backtrace
      end
    end
  end
end
