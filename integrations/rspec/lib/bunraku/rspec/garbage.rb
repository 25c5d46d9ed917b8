# frozen_string_literal: true

module Bunraku
  module RSpec
    # Ruby's garbage collection, which looks at all of Puppet each time. It waits until there is some garbage: while Puppet
    # and the specs are loaded, and in examples with catalogs of bunraku.
    module Garbage
      OBJECTS = 1_000_000
      BYTES = 96 << 20

      class << self
        # Puts off the collection, unless something else controls it.
        def wait
          @waiting = !GC.stress && !GC.disable
        end

        # Counts from here on, and takes part in the run. A run on Puppet is as always.
        def begin
          return stop_waiting if ENV['BUNRAKU_RSPEC'] == 'off'

          note_start
          ::RSpec.configuration.reporter.register_listener(self, :example_started, :example_finished)
        end

        # Functions under test and other specs run code in Ruby, which can leave any amount.
        def example_started(notification)
          group = notification.example.example_group
          compiles = group < ::RSpec::Puppet::Support && !(group < ::RSpec::Puppet::FunctionExampleGroup)
          return stop_waiting unless compiles

          wait unless @waiting
        end

        def example_finished(_notification)
          check
        end

        # Collects if there is enough garbage.
        def check
          return unless @waiting && full?

          GC.enable
          GC.start(full_mark: false)
          note_start
          GC.disable
        end

        # Lets Ruby collect as always, for the rest of an example.
        def stop_waiting
          GC.enable if @waiting
          @waiting = false
        end

        private

        def note_start
          @objects = GC.stat(:heap_live_slots)
          @bytes = GC.stat(:malloc_increase_bytes)
        end

        def full?
          GC.stat(:heap_live_slots) - @objects > OBJECTS || GC.stat(:malloc_increase_bytes) - @bytes > BYTES
        end
      end
    end
  end
end
