# frozen_string_literal: true

module Bunraku
  module RSpec
    # Messages in Puppet's log of work that is done once: each repetition writes the same ones.
    module Messages
      # Takes messages where they reach the log.
      module Log
        def newmessage(message)
          Messages.collect(message) if sendlevel?(message.level)
          super
        end
      end

      class << self
        def install
          Puppet::Util::Log.singleton_class.prepend(Log)
        end

        # Returns the value of the block and the messages that were written in it, as data.
        def during
          outer, @collected = @collected, []
          [yield, @collected]
        ensure
          outer&.concat(@collected)
          @collected = outer
        end

        def collect(message)
          @collected&.push([message.level.to_s, message.source.to_s, message.message.to_s, message.file, message.line])
        end

        # Writes messages again.
        def repeat(messages)
          messages.each do |level, source, message, file, line|
            Puppet::Util::Log.create(level: level.to_sym, source: source, message: message, file: file, line: line)
          end
        end
      end
    end
  end
end
