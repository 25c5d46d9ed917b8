# frozen_string_literal: true

module Bunraku
  # Arrays, hashes and strings that are the same objects here and in Python. Ruby code may change them in place;
  # Python is told before it runs code that can see the change.
  module Shared
    class << self
      # From now on another compile.
      def forget
        @objects = {}
        @numbers = {}.compare_by_identity
        @seen = {}
        @inside = 0
        @next = 0
      end

      def end_of_request
        @seen = {} unless @seen.empty?
      end

      def container?(value)
        value.is_a?(Array) || value.is_a?(Hash)
      end

      def number(object)
        @numbers[object]
      end

      # Whether a value is, or has in it, one of the objects.
      def within?(value)
        return false if @numbers.empty?
        return true if number(value)

        case value
        when Array then value.any? { |item| within?(item) }
        when Hash then value.any? { |key, item| within?(key) || within?(item) }
        else false
        end
      end

      # The object of a number, with its content if it is new.
      def decode(number, content = nil, frozen = false) # rubocop:disable Style/OptionalBooleanParameter
        object = content.nil? ? @objects.fetch(number) : made(number, content, frozen)
        see(number, object) if @inside.zero? && !object.frozen?
        object
      end

      # The string of a number, with its text if it is new.
      def decode_text(number, text = nil)
        object = text.nil? ? @objects.fetch(number) : register(number, +Bunraku.plain_text(text))
        see(number, object) if @inside.zero?
        object
      end

      # Data for an array or hash: its number, and the content where Python does not have it.
      def encode(object)
        return { 'm' => [number(object)] } if number(object)

        with_content(object, {}.compare_by_identity, false)
      end

      # Data for any value; arrays and hashes are shared from now on.
      def value(object)
        container?(object) ? encode(object) : Bunraku.encode(object)
      end

      # The objects that have changed since they were seen last, with all that is in them.
      def changes
        return [] if @seen.empty?

        done = {}.compare_by_identity
        @seen.to_a.filter_map do |number, before|
          object = @objects[number]
          now = state(object)
          next if now == before

          @seen[number] = now
          item(object, done, true)
        end
      rescue Puppet::Error
        []
      end

      private

      def made(number, content, frozen)
        @inside += 1
        object = Bunraku.decode(content)
        Bunraku.deep_freeze(object) if frozen
        register(number, object)
      ensure
        @inside -= 1
      end

      def register(number, object)
        @objects[number] = object
        @numbers[object] = number
        object
      end

      def see(number, object)
        @seen[number] ||= state(object)
      end

      # The order of keys counts.
      def state(object)
        object.is_a?(Hash) ? object.to_a.hash : object.hash
      end

      def with_content(object, done, again)
        known = number(object)
        return { 'm' => [known] } if known && (done[object] || !again)

        unless known
          register(@next -= 1, object)
          see(@next, object) unless object.frozen?
        end
        done[object] = true
        { 'm' => [number(object), content(object) { |inner| item(inner, done, again) }] }
      end

      def item(value, done, again)
        return with_content(value, done, again) if container?(value)
        return Bunraku.encode(value) unless again && value.is_a?(String) && number(value)

        { 'w' => [number(value), Bunraku.encode_text(value)] }
      end

      def content(object, &block)
        object.is_a?(Array) ? object.map(&block) : { 'h' => object.flat_map { |key, item| [yield(key), yield(item)] } }
      end
    end
    forget
  end
end
