# frozen_string_literal: true

module Facter
  # Values of facts.
  module Values
    class NormalizationError < StandardError; end
    class DeepFreezeError < StandardError; end
    class DeepMergeError < StandardError; end

    TYPES = [Integer, Float, TrueClass, FalseClass, NilClass, Symbol, String, Array, Hash, Date, Time].freeze

    module_function

    # The value of a fact: times are text, and text is UTF-8. Other objects are refused.
    def normalize(value)
      case value
      when Integer, Float, true, false, nil, Symbol then value
      when Date, Time
        require 'time'
        value.iso8601
      when String then normalize_string(value)
      when Array then value.map { |item| normalize(item) }
      when Hash then value.each_with_object({}) { |(key, item), hash| hash[normalize(key)] = normalize(item) }
      else raise NormalizationError, "Expected #{value} to be one of #{TYPES.inspect}, but was #{value.class}"
      end
    end

    def normalize_string(text)
      text = text.encode(Encoding::UTF_8)
      return text if text.valid_encoding?

      raise NormalizationError, "String #{text.inspect} doesn't match the reported encoding #{text.encoding}"
    rescue EncodingError
      raise NormalizationError, "String encoding #{text.encoding} is not UTF-8 and could not be converted to UTF-8"
    end

    def deep_freeze(value)
      case value
      when Numeric, Symbol, true, false, nil then value
      when String then value.dup.freeze
      when Array then value.map { |item| deep_freeze(item) }.freeze
      when Hash
        value.each_with_object({}) { |(key, item), hash| hash[deep_freeze(key)] = deep_freeze(item) }.freeze
      else raise DeepFreezeError, "Cannot deep freeze #{value}:#{value.class}"
      end
    end

    # Hashes are merged and arrays joined; nil gives way.
    def deep_merge(left, right, path = [])
      return left.merge(right) { |key, one, two| deep_merge(one, two, [*path, key]) } if both?(Hash, left, right)
      return left + right if both?(Array, left, right)
      return left if right.nil?
      return right if left.nil?

      place = path.empty? ? '' : " at root#{path.map { |part| "[#{part.inspect}]" }.join}"
      raise DeepMergeError, "Cannot merge #{left.inspect}:#{left.class} and #{right.inspect}:#{right.class}#{place}"
    end

    def both?(type, left, right)
      left.is_a?(type) && right.is_a?(type)
    end

    # A value as conditions compare it: text in lower case.
    def comparable(value)
      value = value.to_s if value.is_a?(Symbol)
      value.is_a?(String) ? value.downcase : value
    end

    def with_text_keys(value)
      case value
      when Hash then value.each_with_object({}) { |(key, item), hash| hash[key.to_s] = with_text_keys(item) }
      when Array then value.map { |item| with_text_keys(item) }
      else value
      end
    end

    # A part of facts by a dotted name, whose numbers are indexes; KeyError or TypeError if it is absent.
    def part(facts, name)
      name.split('.').inject(facts) do |value, key|
        raise KeyError unless value.respond_to?(:fetch)

        key = key.to_i if /\A\d+\z/.match?(key)
        value.fetch(key) { value.fetch(key.to_s) }
      end
    end
  end
end
