# frozen_string_literal: true

module Puppet
  module Util
    # A set of tags.
    class TagSet < Set
      def self.from_data_hash(data)
        new(data)
      end

      def to_data_hash
        to_a
      end

      def join(*arguments)
        to_a.join(*arguments)
      end

      def inspect
        "#<Puppet::Util::TagSet: {#{map(&:inspect).join(', ')}}>"
      end

      def to_s
        inspect
      end
    end

    # What has tags.
    module Tagging
      ValidTagRegex = /\A[[:alnum:]_][[:alnum:]_:.-]*\z/.freeze

      def tags
        @tags ||= TagSet.new
      end

      def tags=(names)
        @tags = TagSet.new
        tag(*Array(names)) unless names.nil?
      end

      def tag(*names)
        names.flatten.each do |given|
          name = given.to_s.downcase
          raise Puppet::ParseError, "Invalid tag '#{name}'" unless ValidTagRegex.match?(name)

          tags << name
          tags.merge(name.split('::')) if name.include?('::')
        end
      end

      def tag_if_valid(name)
        tag(name) if ValidTagRegex.match?(name.to_s.downcase)
      end

      def tagged?(*names)
        names.flatten.any? { |name| tags.include?(name.to_s.downcase) }
      end

      def raw_tagged?(names)
        names.any? { |name| tags.include?(name) }
      end
    end
  end
end
