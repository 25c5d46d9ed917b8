# frozen_string_literal: true

module Bunraku
  module RSpec
    # Work around the compile that rspec-puppet repeats, done once.
    module Speed
      # rspec-puppet adds the same filters with each catalog and compares every resource with all of them, and
      # looks for the directories of the module path for every resource.
      module Coverage
        def add_filter(type, title)
          super
          filters.uniq!
        end

        def add_from_catalog(catalog, test_module)
          @paths_of_modules = {}
          super
        ensure
          @paths_of_modules = nil
        end

        private

        def module_paths(test_module)
          return super unless @paths_of_modules

          @paths_of_modules[test_module] ||= super
        end
      end

      def self.install
        ::RSpec::Puppet::Coverage.prepend(Coverage)
      end
    end
  end
end
