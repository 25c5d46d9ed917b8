# frozen_string_literal: true

module Puppet
  module Pops
    # Values as plain data and back.
    module Serialization
      PCORE_TYPE_KEY = '__ptype'
      PCORE_VALUE_KEY = '__pvalue'
      PCORE_TYPE_DEFAULT = 'Default'
      PCORE_TYPE_HASH = 'Hash'
      PCORE_TYPE_SENSITIVE = 'Sensitive'
      PCORE_TYPE_SYMBOL = 'Symbol'
      PCORE_LOCAL_REF_SYMBOL = 'LocalRef'

      class SerializationError < Puppet::Error; end

      # To data: with ``rich_data`` other values become a hash with their type, otherwise text.
      class ToDataConverter
        def self.convert(value, options = {})
          new(options).convert(value)
        end

        def initialize(options = {})
          @rich = options.fetch(:rich_data, false)
          @symbols = options.fetch(:symbol_as_string, false)
            @prefix = options[:message_prefix]
          @references = @rich && options.fetch(:local_reference, true)
        end

        def convert(value)
          @seen = {}.compare_by_identity
          to_data(value, [])
        end

        private

        def to_data(value, path)
          case value
          when nil, true, false, Integer, Float, String then value
          when :undef then nil
          when Array then once(value, path) { value.each_with_index.map { |item, at| to_data(item, [*path, at]) } }
          when Hash then once(value, path) { hash_data(value, path) }
          when Symbol, :default then symbol_data(value, path)
          else @rich ? rich_data(value, path) : text_data(value, path)
          end
        end

        # An array or hash that comes again is a reference to its first place.
        def once(value, path)
          return yield unless @references
          return { PCORE_TYPE_KEY => PCORE_LOCAL_REF_SYMBOL, PCORE_VALUE_KEY => @seen[value] } if @seen.key?(value)

          @seen[value] = "$#{path.map { |item| path_text(item) }.join}"
          yield
        end

        def path_text(item)
          return "[#{item}]" if item.is_a?(Integer)

          item.to_s.match?(/\A[a-zA-Z_]\w*\z/) ? ".#{item}" : "['#{item}']"
        end

        def hash_data(value, path)
          plain = value.each_key.all?(String) && !value.key?(PCORE_TYPE_KEY)
          return value.to_h { |key, item| [key, to_data(item, [*path, key])] } if plain
          return value.to_h { |key, item| [key_text(key, path), to_data(item, [*path, key])] } unless @rich

          flat = value.flat_map { |key, item| [to_data(key, path), to_data(item, [*path, key])] }
          { PCORE_TYPE_KEY => PCORE_TYPE_HASH, PCORE_VALUE_KEY => flat }
        end

        def key_text(key, path)
          warn_of('hash key', key, path) unless key.is_a?(Symbol) && @symbols
          key.to_s
        end

        def symbol_data(value, path)
          return value.to_s if @symbols && value != :default
          return text_data(value, path) unless @rich

          value == :default ? { PCORE_TYPE_KEY => PCORE_TYPE_DEFAULT } : { PCORE_TYPE_KEY => PCORE_TYPE_SYMBOL, PCORE_VALUE_KEY => value.to_s }
        end

        def rich_data(value, path)
          case value
          when Types::PSensitiveType::Sensitive then { PCORE_TYPE_KEY => PCORE_TYPE_SENSITIVE, PCORE_VALUE_KEY => to_data(value.unwrap, path) }
          else
            data = Bunraku.encode(value)
            data.is_a?(Hash) && data.key?('k') ? text_data(value, path) : Bunraku.ask('to_data', data)
          end
        end

        def text_data(value, path)
          warn_of(nil, value, path)
          value.to_s
        end

        def warn_of(what, value, path)
          place = path.map { |item| item.is_a?(Integer) ? "[#{item}]" : "['#{item}']" }.join
          subject = @prefix ? "#{@prefix}#{place}" : "Value#{place}"
          name = value == :default ? 'the special value default' : "#{article(value.class.name)} #{value.class.name} value"
          Puppet.warning("#{subject} contains #{what ? "#{article(value.class.name)} #{what} of class #{value.class.name}" : name}. It will be converted to the String '#{value}'")
        end

        def article(name)
          name.to_s.match?(/\A[AEIOU]/) ? 'an' : 'a'
        end
      end

      # From data.
      class FromDataConverter
        def self.convert(value, options = {})
          new(options).convert(value)
        end

        def initialize(_options = {}); end

        def convert(value)
          case value
          when Array then value.map { |item| convert(item) }
          when Hash then value.key?(PCORE_TYPE_KEY) ? typed(value[PCORE_TYPE_KEY], value) : value.transform_values { |item| convert(item) }
          else value
          end
        end

        private

        def typed(type, value)
          given = value[PCORE_VALUE_KEY]
          case type
          when PCORE_TYPE_HASH then given.each_slice(2).to_h { |key, item| [convert(key), convert(item)] }
          when PCORE_TYPE_SENSITIVE then Types::PSensitiveType::Sensitive.new(convert(given))
          when PCORE_TYPE_DEFAULT then :default
          when PCORE_TYPE_SYMBOL then given.to_sym
          else of_type(type, value)
          end
        end

        def of_type(type, value)
          Bunraku.ask('from_data', Bunraku.encode(type.to_s), Bunraku.encode(value))
        rescue Puppet::Error => e
          raise SerializationError, e.message
        end
      end

      # To data without names of types, and without warnings.
      class ToStringifiedConverter
        def self.convert(value, _options = {})
          case value
          when nil, true, false, Integer, Float, String then value
          when Array then value.map { |item| convert(item) }
          when Hash then value.to_h { |key, item| [key.to_s, convert(item)] }
          when :undef then nil
          when :default then 'default'
          when Regexp then "/#{value.source}/"
          else value.to_s
          end
        end
      end
    end
  end
end
