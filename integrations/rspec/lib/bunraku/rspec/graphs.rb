# frozen_string_literal: true

require 'digest/sha2'
require 'json'
require_relative 'cache'

module Bunraku
  module RSpec
    # The search of `compile` for cycles, which makes an object of Puppet for each resource. A catalog in which it found
    # none is noted in the cache on disk, with the Ruby code that the search runs.
    module Graphs
      NOTE = 'no cycles'

      # A message that has no values of resources.
      WITHOUT_VALUES = /\AFound multiple default providers for /.freeze

      # Puts the notes before the search of the matcher.
      module Search
        def cycles_found?
          Graphs.noted?(@catalogue) ? false : Graphs.note(@catalogue) { DefaultProviders.use { super } }
        end
      end

      class << self
        def install
          ::RSpec::Puppet::ManifestMatchers::Compile.prepend(Search) if Cache.instance
        end

        # Names a catalog by its request and the answer to it.
        def name(catalog, request, answer)
          catalog.instance_variable_set(:@bunraku, [request, answer])
        end

        # Returns whether an earlier search of the same catalog, with the same code, found no cycle. Repeats its messages.
        def noted?(catalog)
          name = name_of(catalog)
          content = Cache.instance.read(*name) if name
          content && Messages.repeat(JSON.parse(content))
        end

        # Searches, and notes a catalog without cycles.
        def note(catalog)
          found, messages = Messages.during { yield }
          name = name_of(catalog) unless found
          Cache.instance.write(JSON.generate(messages), *name) if name && writable?(messages, catalog)
          found
        end

        private

        # The cache has no values of a catalog with secrets.
        def writable?(messages, catalog)
          _, answer = catalog.instance_variable_get(:@bunraku)
          messages.all? { |_, _, message| WITHOUT_VALUES.match?(message) } || !answer.match?(/sensitive/i)
        end

        # Returns nothing for a catalog of Puppet, and for an example that replaced Ruby code.
        def name_of(catalog)
          request, answer = catalog.instance_variable_get(:@bunraku)
          return unless request && Stubs.none?

          [NOTE, request, Digest::SHA256.hexdigest(answer), Puppet.features.root?,
           RubyCode.name(catalog.environment_instance.modulepath)]
        end
      end
    end
  end
end
