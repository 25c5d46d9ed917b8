# frozen_string_literal: true

module Puppet
  module Pops
    # Objects that carry data of others.
    module Adaptable
      # Data that is attached to an object, one adapter of each class.
      class Adapter
        @all = ObjectSpace::WeakMap.new

        class << self
          def bunraku_adapters_of(object)
            owner = Adapter.instance_variable_get(:@all)
            owner[object] ||= {}
          end

          def get(object)
            bunraku_adapters_of(object)[self]
          end

          def adapt(object)
            found = get(object) || associate_adapter(create_adapter(object), object)
            yield(found, object) if block_given?
            found
          end

          def adapt_new(object)
            made = associate_adapter(create_adapter(object), object)
            yield(made, object) if block_given?
            made
          end

          def clear(object)
            bunraku_adapters_of(object).delete(self)
          end

          def associate_adapter(adapter, object)
            bunraku_adapters_of(object)[self] = adapter
          end

          def create_adapter(_object)
            new
          end
        end
      end

    end
  end
end
