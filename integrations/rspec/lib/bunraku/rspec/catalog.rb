# frozen_string_literal: true

module Bunraku
  module RSpec
    # Makes a Puppet::Resource::Catalog from a catalog that bunraku compiled.
    class CatalogReader
      # The type of classes and defined types: rspec-puppet needs no more than that they are not
      # builtin, and without one Puppet would parse the manifests to find it.
      DEFINITION = Object.new.freeze

      FLOATS = { 'Infinity' => Float::INFINITY, '-Infinity' => -Float::INFINITY, 'NaN' => Float::NAN }.freeze

      # Whether the catalog has values that Puppet replaces: Sensitive, Deferred, Binary and others of its own types.
      attr_reader :unresolved

      def initialize(environment)
        @environment = environment
        @unresolved = false
      end

      # Returns the catalog of an answer.
      def read(data)
        catalog = Puppet::Resource::Catalog.new(data['name'], @environment)
        catalog.version = data['version'] == 0 ? Time.now.to_i : data['version'] # as Puppet, without config_version
        @defined = data['resources'].select { |one| one['kind'] == 'defined_type' }.to_h { |one| [one['type'], true] }
        resources = data['resources'].to_h { |one| ["#{one['type']}[#{one['title']}]", resource(one)] }
        resources.each_value { |one| catalog.add_resource(one) }
        data['edges'].each { |source, target| catalog.add_edge(resources.fetch(source), resources.fetch(target)) }
        catalog.add_class(*data['classes'])
        catalog.tag(*data['tags'])
        catalog
      end

      private

      def resource(data)
        found = blank(data['type'], data['title'])
        found.kind = data['kind']
        found.line = data['line']
        found.file = data['file'] || ('' if found.line) # as Puppet, of code without a file
        found.exported = data.fetch('exported', false)
        found.virtual = data.fetch('virtual', false)
        found.instance_variable_get(:@tags).merge(data['tags']) # valid ones, with the parts of their names
        (data['parameters'] || {}).each { |name, item| found[name] = value(item) }
        add_names(found)
        found.sensitive_parameters = (data['sensitive_parameters'] || []).map(&:to_sym)
        found
      end

      # Returns a resource without looking for its definition in manifests.
      def blank(type, title)
        title = :main if type == 'Class' && title.casecmp?('main')
        Puppet::Resource.new(type, title, environment: @environment, resource_type: type_of(type))
      end

      # Puppet looks for the file of a type in all modules each time that it does not find it.
      def type_of(type)
        return DEFINITION if type == 'Class' || type == 'Node' || @defined[type]

        ResourceTypes.find(type, @environment) || DEFINITION
      end

      def value(data)
        case data
        when Array then data.map { |item| value(item) }
        when Hash then hash(data)
        else data
        end
      end

      def hash(data)
        return rich(data) if data.key?('__ptype')
        return FLOATS.fetch(data['__float']) if data.keys == ['__float']
        return data['__bytes'].unpack1('m') if data.keys == ['__bytes']

        data.transform_values { |item| value(item) }
      end

      def rich(data)
        content = data['__pvalue']
        case data['__ptype']
        when 'Reference' then reference(content)
        when 'Hash' then Hash[*content.map { |item| value(item) }]
        else special(data)
        end
      end

      def special(data)
        @unresolved = true
        return Puppet::Pops::Serialization::FromDataConverter.convert(data) unless data['__ptype'] == 'Sensitive'

        Puppet::Pops::Types::PSensitiveType::Sensitive.new(value(data['__pvalue']))
      end

      def reference(text)
        type, title = text.match(/\A([^\[]+)\[(.*)\]\z/m).captures
        add_names(blank(type, title))
      end

      # Adds the parameters that the title gives.
      def add_names(resource)
        resource.to_hash.each { |name, item| resource[name] = item unless resource.parameters.key?(name) }
        resource
      end
    end
  end
end
