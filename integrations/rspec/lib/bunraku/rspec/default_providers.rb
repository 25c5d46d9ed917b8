# frozen_string_literal: true

module Bunraku
  module RSpec
    # The default providers of resource types. rspec-puppet forgets them with each catalog; here they are found once
    # for equal facts.
    module DefaultProviders
      # Puppet's own method, if rspec-puppet has not replaced it yet: it asks for features of the platform around each call.
      ORIGINAL = (Puppet::Type.instance_method(:set_default) unless defined?(::RSpec::Puppet))

      @found = Hash.new { |found, situation| found[situation] = {} }

      # Answers for a type, with the warning of several providers that are as good.
      module Types
        def defaultprovider
          return super if @defaultprovider || !(known = DefaultProviders.known)

          provider, messages = known[[self, provider_hash.size]] || Messages.during { super() }.tap do |found|
            known[[self, provider_hash.size]] = found
            return found.first
          end
          Messages.repeat(messages)
          @defaultprovider = provider
        end
      end

      # Sets the provider of a resource without the work around it where the default is known.
      module Resources
        def set_default(attribute)
          return super unless attribute.equal?(:provider) && DefaultProviders.known?(self.class)

          ORIGINAL.bind_call(self, attribute)
        end
      end

      class << self
        # The providers by type and number of its providers, or nil.
        attr_reader :known

        def install
          Puppet::Type.singleton_class.prepend(Types)
          Puppet::Type.prepend(Resources) if ORIGINAL.respond_to?(:bind_call) # since Ruby 2.7
        end

        # Notes the facts that decide the providers from here on, by name.
        def facts=(name)
          @facts = (name if name.is_a?(String))
        end

        # Uses what is known for the facts and the platform of the current example in a block.
        def use
          @known = @found[[@facts, Puppet::Util::Platform.pretend_platform, Puppet.features.root?]] if @facts && Stubs.none?
          yield
        ensure
          @known = nil
        end

        def known?(type)
          @known && @known.key?([type, type.provider_hash.size])
        end
      end
    end
  end
end
