# frozen_string_literal: true

module Puppet
  # What holds while code runs: ``Puppet.lookup(:current_environment)``.
  class Context
    class UndefinedBindingError < Puppet::Error; end
    class StackUnderflow < Puppet::Error; end

    @stack = []

    class << self
      def bunraku_lookup(name)
        found = @stack.reverse_each.find { |bindings| bindings.key?(name) }
        return found[name] if found

        scope = Puppet::Parser::Scope.bunraku_current
        case name
        when :current_environment, :root_environment then scope.environment
        when :environments then Environments.new(scope)
        when :global_scope then scope.bunraku_ask('top_scope')
        when :loaders then Puppet::Pops::Loaders.new(scope)
        when :rich_data then Puppet[:rich_data]
        when :trusted_information then Trusted.new(scope.lookupvar('::trusted'))
        else
          return yield if block_given?

          raise UndefinedBindingError, "Unable to lookup '#{name}'"
        end
      end

      def bunraku_push(bindings)
        @stack.push(bindings.transform_keys(&:to_sym))
      end

      def bunraku_pop
        @stack.pop or raise StackUnderflow, 'Attempted to pop, but already at root of the context stack.'
      end

      def bunraku_override(bindings)
        bunraku_push(bindings)
        yield
      ensure
        bunraku_pop
      end
    end

    # The authenticated data of the node.
    Trusted = Struct.new(:to_h)

    # The environments: a compile has one.
    class Environments
      class EnvironmentNotFound < Puppet::Error; end

      def initialize(scope)
        @scope = scope
      end

      def list
        [@scope.environment]
      end

      def get(name)
        list.find { |environment| environment.name == name.to_sym }
      end

      def get!(name)
        get(name) or raise EnvironmentNotFound, "Could not find a directory environment named '#{name}'"
      end

      def search_paths
        ["directory://#{Puppet[:environmentpath]}"]
      end

      def get_conf(_name)
        @scope.environment.configuration
      end
    end
  end
end
