# frozen_string_literal: true

module Puppet
  # A resource, or a reference to one.
  class Resource
    include Enumerable
    attr_reader :type, :title, :parameters
    attr_accessor :file, :line, :virtual, :exported

    class << self
      def type_and_title(type, title = nil)
        return [type.type, type.title] if type.is_a?(Resource)

        found = new(type, title)
        [found.type, found.title]
      end

      def bunraku_capitalized(name)
        name.to_s.sub(/\A::/, '').split('::').map(&:capitalize).join('::')
      end
    end

    def initialize(type, title = nil, options = {})
      type, title = type.type, type.title if type.is_a?(Resource)
      if title.nil? && (found = /\A([^\[\]]+)\[(.+)\]\z/m.match(type.to_s))
        type, title = found[1], found[2]
      end
      raise ::ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference" if title.nil? && type.to_s !~ /\A\w/

      @type = Resource.bunraku_capitalized(type)
      @title = @type == 'Class' && title.is_a?(String) ? Resource.bunraku_capitalized(title) : title
      @parameters = (options[:parameters] || {}).to_h { |key, value| [key.to_sym, value] }
      @exported = options[:exported] || false
      @virtual = options[:virtual] || @exported
    end

    def ref
      "#{type}[#{title}]"
    end
    alias to_s ref
    alias to_ref ref

    def [](name)
      name = name.to_sym
      name == :title ? title : @parameters[name]
    end

    def []=(name, value)
      @parameters[name.to_sym] = value
    end

    def bunraku_parameters
      @parameters
    end

    def include?(name)
      @parameters.key?(name.to_sym)
    end

    def each(&block)
      @parameters.each(&block)
    end

    def delete(name)
      @parameters.delete(name.to_sym)
    end

    def to_hash
      names = resource_type.respond_to?(:key_attributes) ? resource_type.key_attributes : [:name]
      names.size == 1 && !@parameters.key?(names[0]) ? { names[0] => title.to_s }.merge(@parameters) : @parameters.dup
    end
    alias to_h to_hash

    def name
      @parameters[:name] || title
    end

    def uniqueness_key
      names = resource_type.respond_to?(:key_attributes) ? resource_type.key_attributes : [:name]
      to_hash.values_at(*names.sort)
    end

    # The resource type, the defined type or the class that it is of.
    def resource_type
      scope = Puppet::Parser::Scope.bunraku_current
      return nil if scope.nil?

      @resource_type ||= class? ? scope.find_hostclass(title.to_s) : scope.find_resource_type(type)
    end

    def resource_type=(type)
      @resource_type = type
    end

    def valid_parameter?(name)
      resource_type ? resource_type.valid_parameter?(name) : false
    end

    def validate_parameter(name)
      raise Puppet::ParseError, "no parameter named '#{name}'" unless valid_parameter?(name)
    end

    def builtin?
      resource_type.is_a?(Puppet::Type::ResourceType)
    end
    alias builtin_type? builtin?

    def class?
      type == 'Class'
    end

    def stage?
      type == 'Stage'
    end

    def virtual?
      @virtual ? true : false
    end

    def exported?
      @exported ? true : false
    end

    def tags
      @tags ||= Puppet::Util::TagSet.new(title.is_a?(String) ? [type.downcase] : [])
    end

    def tag(*names)
      extend(Puppet::Util::Tagging)
      tag(*names)
    end

    def tagged?(*names)
      names.flatten.any? { |name| tags.include?(name.to_s.downcase) }
    end

    def to_manifest
      width = @parameters.keys.map { |name| name.to_s.length }.max || 0
      lines = @parameters.map { |name, value| "  #{name.to_s.ljust(width)} => #{value.is_a?(String) ? "'#{value}'" : value.inspect},\n" }
      "#{type.downcase} { '#{title}':\n#{lines.join}}"
    end

    def to_data_hash
      kind = { Puppet::Type::ResourceType => 'compilable_type' }.fetch(resource_type.class, class? ? 'class' : 'unknown')
      found = { 'type' => type, 'title' => title.to_s, 'tags' => tags.to_a, 'exported' => exported?, 'kind' => kind }
      found['parameters'] = @parameters.transform_keys(&:to_s) unless @parameters.empty?
      found
    end

    def inspect
      "#{ref}#{to_hash.inspect}"
    end

    def ==(other)
      other.is_a?(Resource) && other.ref == ref
    end
    alias eql? ==

    def hash
      ref.hash
    end

    # The resources of one compile.
    class Catalog
      class DuplicateResourceError < Puppet::Error
        include Puppet::ExternalFileError
      end

      # The catalog of the compile: one object, to which code may give methods and variables.
      def self.bunraku_running
        Bunraku.known('catalog') { new }
      end

      def classes
        Bunraku.ask('classes', nil)
      end

      def tags
        Puppet::Util::TagSet.new(Bunraku.ask('tags', nil))
      end

      def resources
        Bunraku.ask('resources', nil).map { |data| Puppet::Parser::Resource.bunraku_of(data) }
      end
      alias vertices resources

      def resource(type, title = nil)
        type, title = Puppet::Parser::Scope.bunraku_split_reference(type, title)
        title = Resource.bunraku_capitalized(title) if type.casecmp?('class')
        Puppet::Parser::Resource.bunraku_of(Bunraku.ask('resource', nil, type, title.to_s))
      end

      def resource_keys
        resources.map { |resource| [resource.type, resource.title.to_s] }
      end

      def resource_refs
        resources.map(&:ref)
      end

      # These resources are in no class.
      def add_resource(*resources)
        resources.each { |resource| bunraku_add(resource, nil) }
      end

      def bunraku_add(resource, scope)
        parameters = resource.bunraku_parameters.transform_keys(&:to_s)
        form = resource.exported? ? 'exported' : (resource.virtual? ? 'virtual' : 'regular')
        Bunraku.ask('add_resource', scope&.bunraku_id, resource.type, resource.title.to_s, Bunraku.encode(parameters), form, resource.file, resource.line)
        resource.bunraku_declared if resource.is_a?(Puppet::Parser::Resource)
        resource
      end

      def add_class(*names)
        names.each { |name| Puppet::Parser::Compiler.bunraku_running.add_class(name) }
      end

      def remove_resource(*resources)
        resources.each { |resource| Bunraku.ask('remove_resource', nil, resource.type, resource.title.to_s) }
      end

      def container_of(resource)
        Puppet::Parser::Resource.bunraku_of(Bunraku.ask('container', nil, resource.type, resource.title.to_s))
      end

      def name
        Bunraku.ask('node_name', nil)
      end

      # Number of the catalog; the time is not looked at, so compiles are reproducible.
      def version
        Bunraku.ask('catalog_version', nil)
      end

      def environment
        environment_instance.name.to_s
      end

      def environment_instance
        Puppet::Node::Environment.bunraku_running
      end

      def ==(other)
        other.is_a?(Catalog) && other.name == name
      end
    end

    # A class or defined type as code sees it.
    class Type
      attr_reader :type, :name, :module_name, :arguments, :file, :line, :parent

      def initialize(type, name, about = {})
        @type = type
        @name = name
        @module_name = about['module_name']
        @arguments = about['arguments'] || {}
        @file = about['file']
        @line = about['line']
        @parent = about['parent']
      end

      def valid_parameter?(name)
        arguments.key?(name.to_s) || %w[name title].include?(name.to_s) || Puppet::Type.metaparam?(name)
      end

      def ==(other)
        other.is_a?(Type) && other.type == type && other.name == name
      end

      def to_s
        "#{type} #{name}"
      end
    end
  end

  module Parser
    # A resource of the catalog that is being compiled, or one that is to be added to it.
    class Resource < Puppet::Resource
      # One attribute.
      class Param
        attr_accessor :name, :value, :source, :file, :line, :add

        def initialize(name:, value:, source: nil, file: nil, line: nil, add: false)
          @name = name.to_sym
          @value = value
          @source = source
          @file = file
          @line = line
          @add = add
        end
      end

      # An attribute of a resource.
      class OwnParam < Param
        def initialize(resource, name, value)
          super(name: name, value: value, source: resource.source, file: resource.file, line: resource.line)
          @resource = resource
        end

        def value=(value)
          super
          @resource[name] = value
        end
      end

      attr_accessor :source, :scope
      attr_writer :tags

      def self.bunraku_of(data)
        return nil if data.nil?

        ref = "#{data['type']}[#{data['title']}]"
        Bunraku.known(ref) { new(data['type'], ref == 'Class[main]' ? :main : data['title']) }.bunraku_with(data)
      end

      def initialize(type, title, options = {})
        given = options[:parameters]
        given = given.to_h { |item| [item.name, item.value] } if given.is_a?(Array)
        super(type, title, options.merge(parameters: given))
        @scope = options[:scope]
        @source = options[:source] || @scope&.source
        @file = options[:file]
        @line = options[:line]
      end

      def bunraku_with(data)
        @in_catalog = true
        @parameters = data['parameters'].transform_keys(&:to_sym)
        @tags = Puppet::Util::TagSet.new(data['tags'])
        @file = data['file']
        @line = data['line']
        @virtual = data['virtual']
        @exported = data['exported']
        @evaluated = data['evaluated']
        @scope = data['scope'] || Puppet::Parser::Scope.bunraku_current
        self
      end

      alias path ref

      # The attributes by name; whose value is changed, changes the resource.
      def parameters
        @parameters.to_h { |name, value| [name, OwnParam.new(self, name, value)] }
      end

      def isomorphic?
        !builtin? || resource_type.isomorphic?
      end

      # The catalog has this resource from now on.
      def bunraku_declared
        Bunraku.note_known(ref, self).bunraku_with(Bunraku.ask('resource', nil, type, title.to_s))
      end

      def evaluated?
        @evaluated ? true : false
      end
      alias finished? evaluated?

      def catalog
        scope.catalog
      end

      def environment
        scope.environment
      end

      def []=(name, value)
        super
        scope.bunraku_ask('set_parameter', type, title.to_s, name.to_s, Bunraku::Shared.value(value)) if @in_catalog
      end

      def set_parameter(name, value = nil)
        name, value = name.name, name.value if name.is_a?(Param)
        self[name] = value
      end

      def tag(*names)
        super
        scope.bunraku_ask('add_tags', type, title.to_s, names.flatten.map(&:to_s)) if @in_catalog
      end

      def virtual=(value)
        super
        scope.bunraku_ask('set_virtual', type, title.to_s, value ? true : false) if @in_catalog
      end
    end
  end
end
