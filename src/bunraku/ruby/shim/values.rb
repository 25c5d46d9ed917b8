# frozen_string_literal: true

# Values of the Puppet language that plain Ruby has no class for, and all values on the wire.
module Bunraku
  # A value that lives in Python; equal when its kind and text are.
  module Held
    attr_reader :bunraku_handle

    def bunraku_hold(handle, text)
      @bunraku_handle = handle
      @text = text
      self
    end

    def to_s
      @text
    end

    def inspect
      "#<#{self.class.name} #{self}>"
    end

    def ==(other)
      other.class == self.class && other.to_s == to_s
    end
    alias eql? ==

    def hash
      to_s.hash
    end
  end
end

Object.autoload(:SemanticPuppet, "#{__dir__}/versions.rb")

module Puppet
  # The parts of the language.
  module Pops
    EMPTY_HASH = {}.freeze
    EMPTY_ARRAY = [].freeze
    EMPTY_STRING = ''
    MAX_INTEGER = 0x7fffffffffffffff
    MIN_INTEGER = -0x8000000000000000
    DOUBLE_COLON = '::'
    USCORE = '_'

    {
      Adaptable: 'adaptable', Evaluator: 'evaluator', Loader: 'loaders', Loaders: 'loaders',
      PuppetStack: 'evaluator', Serialization: 'serialization', Time: 'times'
    }.each { |name, file| autoload(name, "#{__dir__}/#{file}.rb") }

    module Types
      IN_OTHER_FILE = %i[
        PUnitType PUndefType PDefaultType PCollectionType PMetaType PScalarType PScalarDataType PNumericType PIntegerType PFloatType PStringType PEnumType
        PPatternType PBooleanType PRegexpType PAbstractTimeDataType PTimespanType PTimestampType PSemVerType PSemVerRangeType PURIType PArrayType
        PHashType PStructType PStructElement PTupleType PVariantType PTypeType POptionalType PNotUndefType PIterableType PIteratorType PInitType
        PCallableType PRuntimeType PObjectType PTypeSetType PTypeAliasType PTypeReferenceType ITERABLE TypeText TypeFactory TypeParser TypeCalculator
        TypeMismatchDescriber TypeAsserter TypeAssertionError TypeFormatter StringConverter Iterable
      ].freeze
      IN_OTHER_FILE.each { |name| autoload(name, "#{__dir__}/types.rb") }

      # A type of a text that needs no check.
      def self.bunraku_named(text)
        kind = :"P#{text[/\A\w+/]}Type"
        (const_defined?(kind, false) ? const_get(kind) : PAnyType).bunraku_of(text)
      end

      # A type of the Puppet language. One that Ruby code makes is its text until Python needs it.
      class PAnyType
        include Bunraku::Held

        class << self
          # A type of this class by its text.
          def bunraku_of(text)
            allocate.bunraku_hold(nil, text)
          end

          def simple_name
            name[/P(\w+)Type\z/, 1]
          end

          # ``PHashType::DEFAULT`` is the bare type.
          def const_missing(name)
            name == :DEFAULT ? bunraku_of(simple_name) : super
          end

          def new(*arguments)
            return bunraku_of(simple_name) if arguments.empty?

            bunraku_of(TypeText.with_parameters(self, arguments))
          end
        end

        def bunraku_parts
          @parts ||= Bunraku.ask('type_parts', Bunraku.encode(self))
        end

        def simple_name
          self.class.simple_name
        end

        def to_alias_expanded_s
          to_s
        end

        def generalize
          Bunraku.ask('generalize', Bunraku.encode(self))
        end

        def normalize(*)
          self
        end

        def iterable?(*)
          ITERABLE.any? { |kind| is_a?(kind) }
        end

        def callable?(type)
          assignable?(type)
        end

        def create(*arguments)
          Bunraku.ask('create', Bunraku.encode(self), arguments.map { |item| Bunraku.encode(item) })
        end

        # Puppet's functions that make values of a type are classes; here they can be called.
        def new_function
          type = self
          Class.new(Puppet::Functions::Function) { define_method(:call) { |_scope, *arguments| type.create(*arguments) } }
        end

        def instance?(value, _guard = nil)
          Bunraku.ask('instance', Bunraku.encode(self), Bunraku.encode(value))
        end

        def assignable?(type, _guard = nil)
          Bunraku.ask('assignable', Bunraku.encode(self), Bunraku.encode(type))
        end

        def name
          to_s
        end

        def really_instance?(value)
          instance?(value) ? 1 : -1
        end
      end

      # A type around another.
      class PTypeWithContainedType < PAnyType
        def type
          bunraku_parts['type']
        end
      end

      # What a catalog holds.
      class PCatalogEntryType < PAnyType; end

      # A resource type or a reference to a resource.
      class PResourceType < PCatalogEntryType
        def type_name
          @known ? @type_name : bunraku_parts['type_name']
        end

        def title
          @known ? @title : bunraku_parts['title']
        end

        def bunraku_about(type_name, title)
          @known = true
          @type_name = type_name
          @title = title
          self
        end
      end

      # A class, or all of them.
      class PClassType < PCatalogEntryType
        def class_name
          @known ? @class_name : bunraku_parts['class_name']
        end

        def bunraku_about(class_name)
          @known = true
          @class_name = class_name
          self
        end
      end

      # Where Sensitive values live.
      class PSensitiveType < PTypeWithContainedType
        # A value that must not be shown.
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            '#<Sensitive [value redacted]>'
          end

          def ==(other)
            other.is_a?(Sensitive) && other.unwrap == @value
          end
          alias eql? ==

          def hash
            @value.hash
          end
        end
      end

      # Where Binary values live.
      class PBinaryType < PAnyType
        # Bytes.
        class Binary
          attr_reader :binary_buffer

          def self.from_base64(text)
            new(text.unpack1('m'))
          end

          class << self
            alias from_base64_strict from_base64

            def from_binary_string(bytes)
              new(bytes.b)
            end
            alias from_string from_binary_string
          end

          def initialize(bytes)
            @binary_buffer = bytes.b.freeze
          end

          def to_s
            [@binary_buffer].pack('m0')
          end

          def length
            @binary_buffer.bytesize
          end

          def ==(other)
            other.is_a?(Binary) && other.binary_buffer == @binary_buffer
          end
          alias eql? ==

          def hash
            @binary_buffer.hash
          end
        end
      end

      # A lazy sequence.
      class Iterator
        include Enumerable
        include Bunraku::Held

        def each(&block)
          return to_enum unless block

          Bunraku.ask('items', Bunraku.encode(self)).each(&block)
        end
      end

      # A value of an Object type; its attributes and methods are in Python.
      class PuppetObject
        include Bunraku::Held

        def method_missing(name, *arguments, &block)
          return super unless respond_to?(name)

          kept = block && Bunraku.keep_block(block)
          begin
            Bunraku.ask('method', Bunraku.encode(self), name.to_s, arguments.map { |item| Bunraku.encode(item) }, kept)
          ensure
            Bunraku.drop_block(kept['id']) if kept
          end
        end

        def respond_to_missing?(name, include_private = false)
          @members ||= Bunraku.ask('members', Bunraku.encode(self))
          @members.include?(name.to_s) || super
        end
      end
    end
  end
end

module Bunraku
  Types = Puppet::Pops::Types
  PLAIN = [NilClass, TrueClass, FalseClass, Integer].freeze

  class << self
    # -- to Python -------------------------------------------------------------------------------

    def encode(value)
      case value
      when nil, true, false, Integer then value
      when String then (number = Shared.number(value)) ? { 'w' => [number] } : encode_text(value)
      when Float then value.finite? ? value : { 'f' => value.nan? ? 'nan' : value.to_s }
      when Array, Hash then encode_container(value)
      when Symbol then value == :undef ? nil : { 'y' => value.to_s }
      else encode_other(value)
      end
    end

    def encode_container(value)
      number = Shared.number(value)
      return { 'm' => [number] } if number
      return value.map { |item| encode(item) } if value.is_a?(Array)

      { 'h' => value.flat_map { |key, item| [encode(key), encode(item)] } }
    end

    def encode_text(text)
      return { 'e' => [text].pack('m0') } if text.encoding == Encoding::BINARY && text.bytesize > 1

      plain = text.encoding == Encoding::UTF_8 || text.encoding == Encoding::US_ASCII ? text : to_utf8(text)
      plain.valid_encoding? ? plain : { 'b' => [plain].pack('m0') }
    end

    def to_utf8(text)
      return text.dup.force_encoding(Encoding::UTF_8) if text.encoding == Encoding::BINARY

      text.encode(Encoding::UTF_8)
    rescue EncodingError
      text.dup.force_encoding(Encoding::UTF_8)
    end

    def encode_other(value)
      handle = value.respond_to?(:bunraku_handle) ? value.bunraku_handle : nil
      return { 'o' => handle } if handle

      case value
      when Types::PSensitiveType::Sensitive then { 's' => encode(value.unwrap) }
      when Regexp then { 'r' => [encode_text(value.source), value.options & 7] }
      when Types::PBinaryType::Binary then { 'n' => value.to_s }
      when Puppet::Resource then { 'q' => [value.type.to_s, encode(value.title)] }
      when SemanticPuppet::Version then { 'v' => value.to_s }
      when Types::PAnyType then { 't' => value.to_s }
      else encode_foreign(value)
      end
    end

    def encode_foreign(value)
      return { 'u' => value.to_s } if defined?(URI::Generic) && value.is_a?(URI::Generic)

      Objects.describe(value)
    end

    # -- from Python -----------------------------------------------------------------------------

    def decode(data)
      case data
      when String then @old ? data : data.freeze
      when Array then data.map { |item| decode(item) }
      when Hash then decode_tagged(*data.first)
      else data
      end
    end

    def decode_tagged(tag, content)
      case tag
      when 'h' then content.each_slice(2).to_h { |key, value| [decode(key), decode(value)] }
      when 'b' then content.unpack1('m').force_encoding(Encoding::UTF_8).freeze
      when 'e' then content.unpack1('m')
      when 'f' then { 'nan' => Float::NAN, 'Infinity' => Float::INFINITY, '-Infinity' => -Float::INFINITY }[content]
      when 'y' then content.to_sym
      when 's' then Types::PSensitiveType::Sensitive.new(decode(content))
      when 'r' then Regexp.new(decode(content[0]), content[1])
      when 'n' then Types::PBinaryType::Binary.from_base64(content)
      when 'q' then decode_reference(content[0], decode(content[1]), content[2])
      when 'u' then parse_uri(content)
      when 'i' then Puppet::Parser::Scope.bunraku_of(content)
      when 'c' then decode_context(*content)
      when 'l' then decode_options(*content)
      when 'm' then Shared.decode(*content)
      when 'w' then Shared.decode_text(*content)
      when 'o' then decode_held(*content)
      when 'k' then Objects.fetch(content)
      end
    end

    # A text as it comes from Python.
    def plain_text(data)
      data.is_a?(String) ? data : data['b'].unpack1('m').force_encoding(Encoding::UTF_8)
    end

    def deep_freeze(value)
      value.each { |*items| items.flatten(1).each { |item| deep_freeze(item) } } if value.is_a?(Hash) || value.is_a?(Array)
      value.freeze
    end

    def decode_reference(type, title, attribute)
      given = attribute && { attribute[0] => decode(attribute[1]) }
      Puppet::Resource.new(type, title, parameters: given)
    end

    def parse_uri(text)
      require 'uri'
      URI.parse(text)
    end

    def decode_held(handle, kind, text, *more)
      text = decode(text)
      case kind
      when 'version' then SemanticPuppet::Version.new(text).bunraku_hold(handle, text)
      when 'range' then SemanticPuppet::VersionRange.new.bunraku_hold(handle, text)
      when 'timestamp' then Puppet::Pops::Time::Timestamp.new.bunraku_hold(handle, text).bunraku_with(*more)
      when 'timespan' then Puppet::Pops::Time::Timespan.new.bunraku_hold(handle, text).bunraku_with(*more)
      when 'iterator' then Types::Iterator.new.bunraku_hold(handle, text)
      when 'object' then Types::PuppetObject.new.bunraku_hold(handle, text)
      when 'PResourceType', 'PClassType' then Types.const_get(kind).new.bunraku_hold(handle, text).bunraku_about(*more.map { |item| decode(item) })
      else type_class(kind).new.bunraku_hold(handle, text)
      end
    end

    def type_class(name)
      return Types.const_get(name, false) if Types.const_defined?(name, false)

      Types.const_set(name, Class.new(Types::PAnyType))
    end
  end
end
