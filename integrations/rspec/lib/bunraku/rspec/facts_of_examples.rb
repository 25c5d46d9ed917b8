# frozen_string_literal: true

require 'digest/sha2'

module Bunraku
  module RSpec
    # What rspec-puppet makes of the facts of an example, made once for equal facts.
    module FactsOfExamples
      LIMIT = 64 # sets of facts

      # The facts that rspec-puppet made, and a text that differs where they do.
      Made = Struct.new(:facts, :name)

      @made = {}

      class << self
        # Returns the facts for a node in the example that a method belongs to.
        def of(original, node)
          made = made_for(original, node)
          return original.call(node) unless made

          @latest = made
          @given = made.facts.dup
        end

        # Returns the name of facts that an example got from here, or the value.
        def named(value)
          value.equal?(@given) && value == @latest.facts ? @latest.name : value
        end

        # Makes all facts again. Ruby code of Puppet got these, and can have changed values in them.
        def forget
          @made.clear
        end

        private

        # Returns nothing for an example with a method of its own, which can change the facts that it gets from here, and
        # for functions, which run in Ruby and can change values of facts.
        def made_for(original, node)
          example = original.receiver
          return unless example.method(:facts_hash).owner.equal?(::RSpec::Puppet::Support)
          return if example.is_a?(::RSpec::Puppet::FunctionExampleGroup)

          given = what_decides(example, node)
          @made[given] || make(given, original, node)
        rescue TypeError # a fact is no data
          nil
        end

        def make(given, original, node)
          kept = Marshal.load(Marshal.dump(given))
          text = Marshal.dump(original.call(node))
          @made.shift if @made.size >= LIMIT
          @made[kept] = Made.new(Marshal.load(text), Digest::SHA256.digest(text))
        end

        def what_decides(example, node)
          configuration = ::RSpec.configuration
          [
            node, example.environment.to_s, configuration.default_facts, example.respond_to?(:facts) ? example.facts : nil,
            example.respond_to?(:node), setting(configuration, :derive_node_facts_from_nodename),
            setting(configuration, :facter_implementation)
          ]
        end

        # Older versions of rspec-puppet have fewer settings.
        def setting(configuration, name)
          configuration.respond_to?(name) ? configuration.public_send(name) : nil
        end
      end
    end
  end
end
