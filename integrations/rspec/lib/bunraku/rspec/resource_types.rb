# frozen_string_literal: true

require_relative 'cache'

module Bunraku
  module RSpec
    # Resource types of Puppet that are loaded, with all their providers, where more is asked than what decides the names
    # of resources. That is kept in the cache on disk.
    module ResourceTypes
      NAME = 'resource type'

      # The methods that yield the relationships of a type without parameters for them.
      AUTOMATIC = %i[eachautorequire eachautobefore eachautonotify eachautosubscribe].freeze

      # Stands for a type that an earlier run loaded.
      class Described
        include Puppet::CompilableResourceType

        attr_reader :key_attributes, :title_patterns

        def initialize(name, description)
          @type = name
          @key_attributes, @title_patterns, @isomorphic, @automatic = description
        end

        AUTOMATIC.each do |name|
          define_method(name) { |&block| loaded.public_send(name, &block) if @automatic.include?(name) }
        end

        def isomorphic?
          @isomorphic
        end

        private

        def method_missing(name, *arguments, **options, &block)
          loaded.public_send(name, *arguments, **options, &block)
        end

        def respond_to_missing?(name, _private = false)
          loaded.respond_to?(name)
        end

        def loaded
          @loaded ||= Puppet::Type.type(@type)
        end
      end

      @described = {}

      class << self
        # Returns the type of a name, or what stands for it; nil if there is none.
        def find(name, environment)
          return Puppet::Type.type(name) if Cache.instance.nil? || loaded?(name)

          place = [NAME, name, RubyCode.name(environment.modulepath)]
          @described[place] ||= described(name, place) || load(name, place)
        end

        private

        def loaded?(name)
          types = Puppet::Type.instance_variable_get(:@types)
          types&.include?(name.downcase.to_sym)
        end

        def described(name, place)
          content = Cache.instance.read(*place)
          Described.new(name, Marshal.load(content)) if content
        end

        # Loads a type, and keeps what names its resources. One that writes messages must write them in each run.
        def load(name, place)
          type, messages = Messages.during { Puppet::Type.type(name) }
          return type if type.nil? || messages.any?

          Cache.instance.write(Marshal.dump(description(type)), *place)
          type
        rescue TypeError # code in the patterns
          type
        end

        def description(type)
          automatic = AUTOMATIC.select { |name| type.enum_for(name).any? }
          [type.key_attributes, type.title_patterns, type.isomorphic?, automatic]
        end
      end
    end
  end
end
