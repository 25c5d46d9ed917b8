# frozen_string_literal: true

module Puppet
  module Pops
    module Evaluator
      # Finds resource types.
      module Runtime3ResourceSupport
        class << self
          def find_resource_type(scope, name)
            find_builtin_resource_type(scope, name) || find_defined_resource_type(scope, name)
          end

          def find_resource_type_or_class(scope, name)
            find_resource_type(scope, name) || scope.find_hostclass(name)
          end

          def find_hostclass(scope, name)
            scope.find_hostclass(name)
          end

          def find_builtin_resource_type(_scope, name)
            Puppet::Type.type(name)
          end

          def find_defined_resource_type(scope, name)
            scope.find_definition(name)
          end
          alias find_hostclass_or_define find_defined_resource_type
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
        alias stacktrace_top top_of_stack
      end
    end

  end
end
