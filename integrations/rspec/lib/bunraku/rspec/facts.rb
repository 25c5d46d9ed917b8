# frozen_string_literal: true

module Bunraku
  module RSpec
    # The facts of examples: copied fast, and given to Facter only where Facter is asked.
    module Facts
      # The facts that say which platform rspec-puppet pretends to be.
      PLATFORM = /\A(?:operatingsystem|osfamily|os)\z/i.freeze

      PLATFORM_NAMES = Hash.new { |names, name| names[name] = PLATFORM.match?(name) }

      # Methods of Facter that neither read nor change facts.
      QUIET = /\A(?:debug|http_debug|trace|warn|log|on_message|version|clear_messages)/.freeze

      # Work for Facter that waits until Facter is asked.
      @pending = []

      class << self
        def install
          Speed.around(:facts_hash) { |original, node| @platform_only ? original.call(node) : FactsOfExamples.of(original, node) }
          Speed.around(:munge_facts) { |_, facts| @platform_only ? copy_of_platform(facts) : copy(facts) }
          Speed.around(:stub_file_consts) { |original, example| platform_only { original.call(example) } }
        end

        # Gives the facts of an example to Facter when it is asked, and not before.
        def put_off(original, facts)
          wait_for_questions
          DefaultProviders.facts = FactsOfExamples.named(facts)
          Puppet.settings[:autosign] = false if Puppet.settings.include?(:autosign)
          @pending = [-> { original.call(facts) }] # which clears what came before
        end

        # Does the work that waits.
        def settle
          pending, @pending = @pending, []
          pending.each(&:call)
        end

        # Does more work for Facter in its turn.
        def in_turn(&work)
          @pending.empty? ? yield : @pending << work
        end

        private

        # Returns facts with names that are strings.
        def copy(value)
          case value
          when Hash then value.each_with_object({}) { |(name, item), copies| copies[text(name)] = copy(item) }
          when Array then value.map { |item| copy(item) }
          else value
          end
        end

        # The name of a symbol is the same string each time, since Ruby 3.0.
        def text(name)
          name.is_a?(Symbol) && name.respond_to?(:name) ? name.name : name.to_s
        end

        def copy_of_platform(facts)
          facts.is_a?(Hash) ? copy(facts.select { |name, _| PLATFORM_NAMES[name] }) : copy(facts)
        end

        def platform_only
          @platform_only = true
          yield
        ensure
          @platform_only = false
        end

        # Facter that rspec-puppet uses: itself, or a class of rspec-puppet.
        def wait_for_questions
          facter = defined?(Puppet::FacterImpl) ? Puppet.runtime[:facter] : ::Facter # since Puppet 7.12
          owner = facter.class.name.start_with?("RSpec::Puppet") ? facter.class : ::Facter.singleton_class
          return if (@waiting ||= []).include?(owner)

          @waiting << owner
          owner.prepend(settling(owner.public_instance_methods(false).grep_v(QUIET) - [:search]))
        end

        # Returns a module that puts a call of `settle` before each method; a search for facts waits, too.
        def settling(names)
          Module.new do
            names.each do |name|
              define_method(name) do |*arguments, **options, &block|
                Facts.settle
                super(*arguments, **options, &block)
              end
            end

            define_method(:search) { |*directories| Facts.in_turn { super(*directories) } }
          end
        end
      end
    end
  end
end
