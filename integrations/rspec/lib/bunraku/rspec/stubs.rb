# frozen_string_literal: true

module Bunraku
  module RSpec
    # Finds what an example replaced in this Ruby process, which bunraku cannot see.
    module Stubs
      # Puppet's own directory of Ruby code.
      PUPPET = File.expand_path('../..', Puppet::Parser::Functions.method(:reset).source_location.first)

      @functions = {}
      @types = {}
      @created = {}
      @libraries = {}

      class << self
        # Returns why the catalog of the current example depends on Ruby code of the suite, or nil.
        def reason(environment)
          function(environment) || created || type || doubled
        end

        # Returns which object the current example replaced in part, or nil.
        def doubled
          double || mocha
        end

        # Returns whether the example replaced nothing but what helpers of suites replace: whether this user is root.
        def none?
          doubled.nil? && (features - %i[root?]).empty?
        end

        def note_function(name, path)
          @functions[name.to_s] = path
        end

        def note_type(name, path)
          @types[name.to_s] = path
        end

        # Notes a function of the new kind; such a class reaches Puppet only where the example passes it on.
        def note_created(name, path)
          @created[::RSpec.current_example&.id] = [name, path]
        end

        # Returns the file of the code that defines something, unless it is Puppet or a module that bunraku finds, too.
        def outside_of_modules(locations)
          path = locations.map(&:absolute_path).compact.find { |one| !one.start_with?(__dir__) }
          path unless path.nil? || path.start_with?("#{PUPPET}/") || path.include?('/vendor_modules/') || in_module?(path)
        end

        private

        def in_module?(path)
          directories = Puppet.lookup(:current_environment).modulepath
          known = @libraries[directories] ||= directories.flat_map { |one| Dir["#{one}/*/lib"] }.flat_map do |one|
            ["#{one}/", "#{File.realpath(one)}/"]
          end
          path.start_with?(*known)
        end

        def created
          name, path = @created[::RSpec.current_example&.id]
          name && "stubbed functions: #{name} (#{path})"
        end

        def function(environment)
          name, path = @functions.find { |one, _| defined_now?(one, environment) }
          name && "stubbed functions: #{name} (#{path})"
        end

        def defined_now?(name, environment)
          [environment, Puppet.lookup(:root_environment)].any? do |one|
            Puppet::Parser::Functions.environment_module(one).get_function_info(name.to_sym)
          end
        end

        def type
          name, path = @types.find { |one, _| Puppet::Type.type(one) }
          name && "resource types of the suite: #{name} (#{path})"
        end

        def double
          return unless defined?(::RSpec::Mocks) && ::RSpec::Mocks.space.respond_to?(:proxies)

          space = ::RSpec::Mocks.space
          stubbed = space.proxies.each_value.find { |proxy| replaces_code?(proxy) }
          return "stubbed objects: #{named(stubbed.object)}" if stubbed

          recorder = space.any_instance_recorders.each_value.first
          recorder && 'stubbed objects: instances of a class'
        end

        # Doubles that are objects of their own reach no compile; rspec-puppet and puppetlabs_spec_helper
        # themselves stub Selinux and Puppet's features.
        def replaces_code?(proxy)
          return false unless proxy.is_a?(::RSpec::Mocks::PartialDoubleProxy)
          return false if proxy.object.equal?(Puppet.features) || (defined?(::Selinux) && proxy.object.equal?(::Selinux))

          proxy.instance_variable_get(:@method_doubles).any?
        end

        # Returns the names of Puppet's features that the example replaced.
        def features
          of_mocha = methods_of_mocha.select { |one| one.stubbee.equal?(Puppet.features) }.map { |one| one.method_name.to_sym }
          return of_mocha unless defined?(::RSpec::Mocks) && ::RSpec::Mocks.space.respond_to?(:proxies)

          proxy = ::RSpec::Mocks.space.proxies[Puppet.features.__id__]
          proxy ? of_mocha + proxy.instance_variable_get(:@method_doubles).keys : of_mocha
        end

        def methods_of_mocha
          mockery = ::Mocha::Mockery.instance_variable_get(:@instances)&.last if defined?(::Mocha::Mockery)
          mockery ? mockery.stubba.stubba_methods : []
        end

        def mocha
          found = methods_of_mocha.map(&:stubbee).find { |one| !one.equal?(Puppet.features) && !(defined?(::Selinux) && one.equal?(::Selinux)) }
          found && "stubbed objects: #{named(found)}"
        end

        def named(object)
          object.is_a?(Module) ? object.name : "a #{object.class.name}"
        end
      end

      # Notes functions of the old kind that a spec defines.
      module Functions
        def reset(*)
          @resetting = true # Puppet's own functions for log levels
          super
        ensure
          @resetting = false
        end

        def newfunction(name, options = {}, &block)
          return super if @resetting

          path = Stubs.outside_of_modules(caller_locations(1, 6))
          Stubs.note_function(name, path) if path
          super
        end
      end

      # Notes functions of the new kind that a spec creates.
      module NewFunctions
        def create_function(name, *rest, &block)
          path = Stubs.outside_of_modules(caller_locations(1, 6))
          Stubs.note_created(name.to_s, path) if path
          super
        end
      end

      # Notes resource types that a spec defines.
      module Types
        def newtype(name, options = {}, &block)
          path = Stubs.outside_of_modules(caller_locations(1, 6))
          Stubs.note_type(name, path) if path
          super
        end
      end
    end
  end
end
