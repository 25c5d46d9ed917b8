# frozen_string_literal: true

module Puppet
  module Pops
    # Finds functions and types by name.
    module Loader
      # Everything that the code of an environment sees.
      class Loader
        def initialize(scope, name)
          @scope = scope
          @loader_name = name
        end
        attr_reader :loader_name

        # A function as an object with ``call(scope, …)``, a type as what it is; nil when there is none.
        def load(kind, name)
          case kind
          when :function
            @scope.bunraku_ask('is_function', name.to_s) ? LoadedFunction.new(name.to_s) : nil
          when :type
            found = Types::TypeParser.singleton.parse(name.to_s.split('::').map { |part| part[0].upcase + part[1..] }.join('::'))
            found.is_a?(Types::PTypeReferenceType) ? nil : found
          end
        end

        def to_s
          "(#{self.class.name[/\w+\z/]} '#{loader_name}')"
        end
        alias inspect to_s
      end

      class SimpleEnvironmentLoader < Loader; end
      class DependencyLoader < Loader; end
      class ModuleLoader < Loader; end

      # A function that code calls by itself.
      class LoadedFunction
        attr_reader :name

        def initialize(name)
          @name = name
        end

        def call(scope, *arguments, &block)
          Bunraku.call_function(scope.bunraku_id, name, arguments, block)
        end

        def loader
          Puppet.lookup(:loaders).private_environment_loader
        end
      end
    end

    # The loaders of an environment.
    class Loaders
      def initialize(scope)
        @scope = scope
      end

      def self.loaders
        Puppet.lookup(:loaders)
      end

      def self.find_loader(name)
        loaders.find_loader(name)
      end

      %w[puppet_system_loader static_loader public_environment_loader private_environment_loader].each do |name|
        define_method(name) { Loader::SimpleEnvironmentLoader.new(@scope, name) }
      end

      def find_loader(module_name)
        return public_environment_loader if module_name.nil? || module_name == ''

        @scope.environment.module(module_name) && Loader::ModuleLoader.new(@scope, module_name)
      end
      alias public_loader_for_module find_loader
      alias private_loader_for_module find_loader

      def [](name)
        find_loader(name)
      end
    end
  end
end

# Where files of functions are run: what they define at their top belongs to this class, and they see
# the constants that are visible here. So the name is written out.
class Puppet::Pops::Loader::RubyFunctionInstantiator # rubocop:disable Style/ClassAndModuleChildren
  def self.bunraku_binding_for(loader_injected_arg)
    binding
  end
end

# The same for functions of the old kind.
class Puppet::Pops::Loader::RubyLegacyFunctionInstantiator # rubocop:disable Style/ClassAndModuleChildren
  def self.bunraku_binding_for(loader_injected_arg)
    binding
  end
end
