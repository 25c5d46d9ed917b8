# frozen_string_literal: true

module Puppet
  module Pops
    # The types of the Puppet language, as Ruby code sees them. A type that Ruby code makes is its text
    # until Python needs it.
    module Types
      class TypeAssertionError < Puppet::Error
        attr_reader :expected_type, :actual_type

        def initialize(message, expected_type = nil, actual_type = nil)
          super(message)
          @expected_type = expected_type
          @actual_type = actual_type
        end
      end

      # Every type by its class, and the class above it.
      HIERARCHY = {
        PUnitType: :PAnyType, PUndefType: :PAnyType, PDefaultType: :PAnyType, PCollectionType: :PAnyType, PMetaType: :PAnyType,
        PScalarType: :PAnyType, PScalarDataType: :PScalarType, PNumericType: :PScalarDataType, PIntegerType: :PNumericType,
        PFloatType: :PNumericType, PStringType: :PScalarDataType, PEnumType: :PScalarDataType, PPatternType: :PScalarDataType,
        PBooleanType: :PScalarDataType, PRegexpType: :PScalarType, PAbstractTimeDataType: :PScalarType,
        PTimespanType: :PAbstractTimeDataType, PTimestampType: :PAbstractTimeDataType, PSemVerType: :PScalarType,
        PSemVerRangeType: :PAnyType, PURIType: :PAnyType, PArrayType: :PCollectionType, PHashType: :PCollectionType,
        PStructType: :PAnyType, PTupleType: :PAnyType, PVariantType: :PAnyType, PTypeType: :PTypeWithContainedType,
        POptionalType: :PTypeWithContainedType, PNotUndefType: :PTypeWithContainedType, PIterableType: :PTypeWithContainedType,
        PIteratorType: :PTypeWithContainedType, PInitType: :PTypeWithContainedType, PCallableType: :PAnyType, PRuntimeType: :PAnyType,
        PObjectType: :PMetaType, PTypeSetType: :PMetaType, PTypeAliasType: :PAnyType, PTypeReferenceType: :PAnyType
      }.freeze
      HIERARCHY.each { |name, above| const_set(name, Class.new(const_get(above))) }

      # The parts of types by their names in Ruby.
      {
        PIntegerType: %i[from to], PFloatType: %i[from to], PTimespanType: %i[from to], PTimestampType: %i[from to],
        PStringType: %i[size_type value], PArrayType: %i[element_type size_type], PHashType: %i[key_type value_type size_type],
        PCollectionType: %i[size_type], PTupleType: %i[types size_type], PVariantType: %i[types], PEnumType: %i[values],
        PCallableType: %i[param_types block_type return_type], PTypeWithContainedType: %i[type], PRegexpType: %i[pattern],
        PBooleanType: %i[value], PRuntimeType: %i[runtime name_or_pattern], PPatternType: %i[patterns], PSemVerType: %i[ranges],
        PTypeReferenceType: %i[type_string]
      }.each do |kind, names|
        names.each { |name| const_get(kind).define_method(name) { bunraku_parts[name.to_s] } }
      end

      class PIntegerType
        def range
          [from || -Float::INFINITY, to || Float::INFINITY]
        end

        def size
          from && to ? (to - from).abs + 1 : Float::INFINITY
        end

        def each(&block)
          return to_enum unless block

          (from..to).each(&block)
          self
        end
      end

      class PStringType
        NON_EMPTY = bunraku_of('String[1]')

        def size_type_or_value
          value || size_type
        end
      end

      class PBooleanType
        TRUE = bunraku_of('Boolean[true]')
        FALSE = bunraku_of('Boolean[false]')
      end

      class PEnumType
        def case_insensitive?
          bunraku_parts['case_insensitive'] ? true : false
        end

        def each(&block)
          return to_enum unless block

          values.each(&block)
          self
        end
      end

      class POptionalType
        alias optional_type type
      end

      class PRegexpType
        def regexp
          Regexp.new(pattern || '')
        end
      end

      class PArrayType
        DATA = bunraku_of('Array[Data]')
      end

      class PHashType
        DATA = bunraku_of('Hash[String, Data]')
      end

      # One element of a Struct.
      class PStructElement
        attr_reader :name, :key_type, :value_type

        def initialize(name, key_type, value_type)
          @name = name
          @key_type = key_type
          @value_type = value_type
        end
      end

      class PStructType
        def elements
          @elements ||= (bunraku_parts['elements'] || []).map { |item| PStructElement.new(*item) }
        end

        def hashed_elements
          elements.to_h { |element| [element.name, element] }
        end

        def each(&block)
          elements.each(&block)
        end
      end

      # A name for a type: it answers for that, too.
      class PTypeAliasType
        def resolved_type
          bunraku_parts['resolved_type']
        end

        def name
          bunraku_parts['name']
        end

        def to_s
          bunraku_parts['expanded']
        end
        alias to_alias_expanded_s to_s

        def respond_to_missing?(name, include_private = false)
          resolved_type.respond_to?(name) || super
        end

        def method_missing(name, *arguments, &block)
          resolved_type.respond_to?(name) ? resolved_type.public_send(name, *arguments, &block) : super
        end
      end

      class PObjectType
        def attributes
          bunraku_parts['attributes'] || {}
        end
      end

      ITERABLE = [PStringType, PIntegerType, PEnumType, PArrayType, PHashType, PTupleType, PStructType, PIterableType, PIteratorType, PBinaryType].freeze

      # Texts of types with parameters.
      module TypeText
        LISTS = %w[Enum Variant Tuple Pattern].freeze

        class << self
          def with_parameters(kind, given)
            name = kind.simple_name
            given = given[0] + given.drop(1) if LISTS.include?(name) && given[0].is_a?(Array)
            case name
            when 'String' then sized('String', given[0])
            when 'Array' then sized('Array', given[1], given[0])
            when 'Hash' then sized('Hash', given[2], *given[0, 2])
            when 'Class' then "Class[#{given[0]}]"
            when 'Resource' then resource(*given)
            when 'Enum', 'TypeReference' then "#{name}[#{given.grep(String).map { |item| quote(item) }.join(', ')}]"
            when 'Struct' then struct(given[0])
            else brackets(name, given.reject { |item| item == false })
            end
          end

          def brackets(name, items)
            items.empty? ? name : "#{name}[#{items.map { |item| literal(item) }.join(', ')}]"
          end

          # The size of a collection comes as a range of integers, and stands as its two ends.
          def sized(name, size, *types)
            return brackets(name, [size]) if size.is_a?(String)

            items = types.compact
            items += ends(size) if size
            brackets(name, items)
          end

          def ends(size)
            given = size.to_s[/\AInteger\[(.*)\]\z/, 1]
            given ? given.split(', ').map { |item| Raw.new(item) } : []
          end

          def struct(entries)
            entries = entries.to_h { |element| [element.name, element.value_type] } if entries.is_a?(Array)
            inner = entries.map { |key, type| "#{key.is_a?(String) ? quote(key) : key} => #{type}" }
            "Struct[{#{inner.join(', ')}}]"
          end

          def resource(type_name, title = nil)
            return 'Resource' if type_name.nil?

            name = type_name.to_s.split('::').map { |part| part[0].upcase + part[1..] }.join('::')
            title.nil? ? name : "#{name}[#{quote(title)}]"
          end

          def quote(text)
            "'#{text.gsub(/['\\]/) { |char| "\\#{char}" }}'"
          end

          # A parameter as Puppet code writes it.
          def literal(item)
            case item
            when nil then 'default'
            when String then quote(item)
            when Regexp then "/#{item.source}/"
            when Array then "[#{item.map { |one| literal(one) }.join(', ')}]"
            else item.to_s
            end
          end
        end

        # Text that stands as it is.
        Raw = Struct.new(:to_s)
      end

      # Makes types.
      module TypeFactory
        class << self
          { undef: 'Undef', default: 'Default', any: 'Any', scalar: 'Scalar', scalar_data: 'ScalarData', numeric: 'Numeric',
            data: 'Data', rich_data: 'RichData', rich_data_key: 'RichDataKey', collection: 'Collection', binary: 'Binary', sem_ver_range: 'SemVerRange', all_callables: 'Callable',
            array_of_any: 'Array', array_of_data: 'Array[Data]', hash_of_any: 'Hash', hash_of_data: 'Hash[String, Data]', catalog_entry: 'CatalogEntry' }.each do |name, text|
            define_method(name) { Types.bunraku_named(text) }
          end

          { array_of: PArrayType, hash_kv: PHashType, optional: POptionalType, not_undef: PNotUndefType, type_type: PTypeType, sensitive: PSensitiveType,
            iterable: PIterableType, iterator: PIteratorType, enum: PEnumType, variant: PVariantType, pattern: PPatternType, tuple: PTupleType, struct: PStructType,
            boolean: PBooleanType, float_range: PFloatType, resource: PResourceType, type_reference: PTypeReferenceType,
            timestamp: PTimestampType, timespan: PTimespanType, sem_ver: PSemVerType, uri: PURIType }.each do |name, kind|
            define_method(name) { |*arguments| kind.new(*arguments) }
          end

          def integer
            PIntegerType.new
          end

          def float
            PFloatType.new
          end

          def range(from, to = nil)
            from, to = [from, to].map { |item| item.respond_to?(:to_i) && !item.nil? ? item.to_i : nil }
            PIntegerType.bunraku_of(TypeText.brackets('Integer', to.nil? ? [from] : [from, to]))
          end

          def string(size = nil, *)
            size.nil? ? PStringType.new : PStringType.new(size)
          end

          def hash_of(value_type, key_type = scalar, size = nil)
            PHashType.new(key_type, value_type, size)
          end

          def regexp(pattern = nil)
            pattern.nil? ? PRegexpType.new : PRegexpType.new(pattern.is_a?(Regexp) ? pattern : Regexp.new(pattern))
          end

          def pattern(*patterns)
            PPatternType.new(patterns.map { |item| item.is_a?(String) ? Regexp.new(item) : item })
          end

          def host_class(name = nil)
            name.nil? ? PClassType.new : PClassType.new(name.sub(/\A::/, '').downcase)
          end

          def runtime(runtime = nil, name = nil)
            PRuntimeType.bunraku_of(name ? "Runtime[#{runtime}, #{TypeText.quote(name)}]" : "Runtime[#{runtime}]")
          end

          def ruby(class_or_name)
            runtime('ruby', class_or_name.is_a?(Class) ? class_or_name.name : class_or_name)
          end

          def callable(*parameters)
            PCallableType.bunraku_of("Callable[#{parameters.map { |item| item.is_a?(String) ? ruby(item) : item }.join(', ')}]")
          end

          def type_of(value)
            return value if value.is_a?(PAnyType)
            return ruby(value) if value.is_a?(String)

            value.is_a?(Class) ? of_class(value) : TypeCalculator.infer(value).generalize
          end

          def label(type)
            type.simple_name
          end

          private

          CLASSES = { Integer => 'Integer', Float => 'Float', Numeric => 'Numeric', String => 'String', Regexp => 'Regexp', Array => 'Array[Data]',
                      Hash => 'Hash[String, Data]', NilClass => 'Undef', TrueClass => 'Boolean', FalseClass => 'Boolean' }.freeze

          def of_class(value)
            CLASSES.key?(value) ? Types.bunraku_named(CLASSES[value]) : ruby(value)
          end
        end
      end

      # Reads types from text.
      class TypeParser
        def self.singleton
          @singleton ||= new
        end

        def parse(text, _context = nil)
          Bunraku.ask('type', text)
        end
      end

      # Finds the types of values.
      class TypeCalculator
        METHODS = %i[infer infer_set infer_generic instance? assignable? generalize callable? equals].freeze

        class << self
          def singleton
            @singleton ||= new
          end

          def infer(value)
            Bunraku.ask('infer', Bunraku.encode(value))
          end

          def infer_set(value)
            Bunraku.ask('infer_set', Bunraku.encode(value))
          end

          def instance?(type, value)
            type.instance?(value)
          end

          def assignable?(type, other)
            type.assignable?(other)
          end

          def generalize(type)
            type.generalize
          end

          def callable?(type, arguments)
            type.callable?(arguments)
          end

          def is_kind_of_callable?(type, optional = true) # rubocop:disable Naming/PredicateName, Style/OptionalBooleanParameter
            type.is_a?(PCallableType) || (optional && type.is_a?(POptionalType) && is_kind_of_callable?(type.type))
          end
        end

        %i[infer infer_set instance? assignable? generalize callable?].each do |name|
          define_method(name) { |*arguments| self.class.public_send(name, *arguments) }
        end

        def infer_generic(value)
          infer(value).generalize
        end

        def equals(left, right)
          left == right
        end

        def type(value)
          TypeFactory.type_of(value)
        end
      end

      # Says why a value is not of a type.
      class TypeMismatchDescriber
        def self.singleton
          @singleton ||= new
        end

        def self.describe_signatures(*arguments)
          singleton.describe_signatures(*arguments)
        end

        def describe_mismatch(name, expected, actual, **)
          Bunraku.ask('mismatch', name.to_s, Bunraku.encode(expected), Bunraku.encode(actual))
        end
      end

      # Raises where a value is not of a type.
      module TypeAsserter
        class << self
          def assert_instance_of(subject, type, value, nil_ok = false, &block)
            return value if type.instance?(value) || (nil_ok && value.nil?)

            report(subject, type, TypeCalculator.infer_set(value), 'has wrong type', &block)
          end

          def assert_assignable(subject, type, actual, &block)
            report(subject, type, actual, 'is incorrect', &block) unless type.assignable?(actual)
          end

          private

          def report(subject, type, actual, what)
            subject = yield(subject) if block_given?
            subject = format(subject[0], *subject.drop(1)) if subject.is_a?(Array)
            why = TypeMismatchDescriber.singleton.describe_mismatch("#{subject} #{what},".lstrip, type, actual)
            raise TypeAssertionError.new(why, type, actual)
          end
        end
      end

      # Writes types.
      class TypeFormatter
        def self.singleton
          @singleton ||= new
        end

        def self.string(type)
          type.to_s
        end

        def string(type)
          type.to_s
        end

        def alias_expanded_string(type)
          type.to_alias_expanded_s
        end
      end

      # Values as text.
      class StringConverter
        def self.singleton
          @singleton ||= new
        end

        def self.convert(value, format = :default)
          singleton.convert(value, format)
        end

        def convert(value, format = :default)
          Bunraku.call_function(nil, 'new', [Types.bunraku_named('String'), value, format], nil)
        end
      end

      # What can be iterated over.
      module Iterable
        class << self
          def on(value, _element_type = nil)
            each_of(value)
          end

          def asserted_iterable(caller, value, _infer_elements = false)
            each_of(value) or raise ::ArgumentError, "#{caller.class}(): wrong argument type (#{value.class}; is not Iterable."
          end

          private

          def each_of(value)
            case value
            when Array, Hash, Range, Iterator then value.each
            when Integer then value.negative? ? [].each : value.times
            when String then value.each_char
            when PTypeAliasType then each_of(value.resolved_type)
            when PIntegerType, PEnumType then value.each
            end
          end
        end
      end
    end
  end
end
