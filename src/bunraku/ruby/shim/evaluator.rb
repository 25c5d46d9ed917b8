# frozen_string_literal: true

module Puppet
  module Pops
    module Evaluator
      # Finds resource types.
      module Runtime3ResourceSupport
        class << self
          def find_resource_type(scope, name)
            scope.find_resource_type(name)
          end

          def find_resource_type_or_class(scope, name)
            find_resource_type(scope, name) || scope.find_hostclass(name)
          end

          def find_hostclass(scope, name)
            scope.find_hostclass(name)
          end
        end
      end
    end

    # The places of the calls that led here.
    module PuppetStack
      class << self
        def stacktrace
          Bunraku.ask('stacktrace')
        end

        def top_of_stack
          stacktrace.first || []
        end
      end
    end

  end
end
