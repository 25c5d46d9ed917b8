# frozen_string_literal: true

module Bunraku
  # Objects that the Puppet language has no value for. They stay here; Python holds a reference that
  # gives the same object when it comes back. They are kept until the next compile.
  module Objects
    ADDRESS = /:0x[0-9a-f]{8,}/.freeze
    @kept = {}
    @numbers = {}.compare_by_identity
    @groups = {}
    @next = Process.pid << 24 # a reference from an ended process must not find another object

    class << self
      # What Python needs to know of an object: its number, that of the first object that is eql?, the
      # name of its class, whether it is a class itself, its text.
      def describe(object)
        number = number_of(object)
        named = object.is_a?(Class) ? object : object.class
        { 'k' => [number, group_of(object, number), named.name, object.is_a?(Class), Bunraku.encode_text(text_of(object))] }
      end

      def fetch(number)
        @kept.fetch(number) { raise Puppet::Error, 'Ruby code gave back an object that it had kept from another compile' }
      end

      def forget
        [@kept, @numbers, @groups].each(&:clear)
      end

      private

      def number_of(object)
        @numbers[object] ||= begin
          @next += 1
          @kept[@next] = object
          @next
        end
      end

      def group_of(object, number)
        @groups[object] ||= number
      rescue StandardError
        number
      end

      # The address of an object differs from run to run, so it is left out.
      def text_of(object)
        text = object.to_s.to_s
        text.start_with?('#<') ? text.gsub(ADDRESS, '') : text
      end
    end
  end
end
