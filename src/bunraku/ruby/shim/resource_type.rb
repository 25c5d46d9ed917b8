# frozen_string_literal: true

module Puppet
  # Resource types: their names and attributes. Resources are not applied here.
  class Type
    METAPARAMETERS = %i[noop schedule audit loglevel alias tag require subscribe before notify stage].freeze
    Attribute = Struct.new(:name)

    class << self
      # The resource type of a name, nil when there is none.
      def type(name)
        found = Puppet::Parser::Scope.bunraku_current&.bunraku_ask('resource_type', name.to_s.downcase)
        found && ResourceType.new(name.to_s.downcase.to_sym, found)
      end

      def metaparams
        METAPARAMETERS.dup
      end

      def metaparam?(name)
        METAPARAMETERS.include?(name.to_sym)
      end

      def newtype(name, *)
        raise Puppet::DevError, "the resource type '#{name}' cannot be defined by code that runs in a compile"
      end
    end

    # One resource type.
    class ResourceType
      attr_reader :name, :parameters, :key_attributes

      def initialize(name, about)
        @name = name
        @parameters = about['parameters'].map(&:to_sym)
        @properties = about['properties'].map(&:to_sym)
        @key_attributes = about['keys'].map(&:to_sym)
      end

      def properties
        @properties.map { |name| Attribute.new(name) }
      end

      def validproperties
        @properties
      end
      alias valid_properties validproperties

      def allattrs
        @key_attributes | (@parameters & [:provider]) | @properties | @parameters | METAPARAMETERS
      end

      def validattr?(name)
        allattrs.include?(name.to_sym)
      end
      alias valid_parameter? validattr?
      alias attrclass validattr?

      def validproperty?(name)
        @properties.include?(name.to_sym)
      end

      def validparameter?(name)
        @parameters.include?(name.to_sym) || Type.metaparam?(name)
      end

      def isomorphic?
        true
      end

      def to_s
        "Puppet::Type::#{name.to_s.capitalize}"
      end
      alias inspect to_s
    end
  end
end
