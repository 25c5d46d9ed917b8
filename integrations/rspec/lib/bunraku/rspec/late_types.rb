# frozen_string_literal: true

module Bunraku
  module RSpec
    # The resource types that rspec-puppet changes while it is loaded. Puppet loads them, with their providers, where they
    # are needed, and the changes follow then.
    module LateTypes
      NAMES = %i[file exec].freeze

      # What is called to change a type. All other calls need it.
      CHANGES = %i[paramclass instance_method munge validate provide class_eval].freeze

      # Stands for a type, and for what a change of it returns.
      class Later < BasicObject
        def initialize(name, &make)
          @name = name
          @make = make
        end

        def made
          @made ||= @make.call
        end

        private

        def method_missing(name, *arguments, **options, &block)
          change = -> { made.public_send(name, *arguments, **options, &block) }
          later = Later.new(@name, &change) if CHANGES.include?(name)
          later && LateTypes.note(@name, later) ? later : LateTypes.loaded(@name, &change)
        end
      end

      # Gives what stands for a type to rspec-puppet, which asks for the type by its name.
      module Asked
        def type(name)
          LateTypes.later(name) || super
        end
      end

      # Changes a type that is complete.
      module Complete
        def newtype(name, *)
          super.tap { LateTypes.change(name.to_sym) }
        end
      end

      @changes = {}

      class << self
        # Puts off changes of types that are made in the block. A run on Puppet is as always.
        def put_off
          return yield if ENV['BUNRAKU_RSPEC'] == 'off'

          Puppet::Type.singleton_class.prepend(Asked, Complete)
          @putting_off = true
          yield
        ensure
          @putting_off = false
        end

        # Returns what stands for a type, or nil.
        def later(name)
          return unless @putting_off && NAMES.include?(name) && !loaded?(name)

          @changes[name] ||= []
          Later.new(name) { Puppet::Type.type(name) }
        end

        # Notes a change; returns nil for a type that is loaded.
        def note(name, change)
          @changes[name]&.push(change)
        end

        # Makes the noted changes of a type.
        def change(name)
          @changes.delete(name)&.each { |one| one.__send__(:made) }
        end

        # Loads a type, and yields.
        def loaded(name)
          @putting_off, before = false, @putting_off
          Puppet::Type.type(name)
          yield
        ensure
          @putting_off = before
        end

        private

        def loaded?(name)
          Puppet::Type.instance_variable_get(:@types)&.include?(name)
        end
      end
    end
  end
end
