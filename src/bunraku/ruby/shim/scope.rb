# frozen_string_literal: true

module Puppet
  # A resource, or a reference to one.
  class Resource
    attr_reader :type, :title, :parameters

    def self.type_and_title(type, title)
      return [type.type, type.title] if type.is_a?(Resource)

      found = new(type, title)
      [found.type, found.title]
    end

    def initialize(type, title = nil, options = {})
      if title.nil? && (found = /\A([^\[\]]+)\[(.+)\]\z/m.match(type.to_s))
        type, title = found[1], found[2]
      end
      @type = type.to_s.split('::').map(&:capitalize).join('::')
      @title = @type == 'Class' && title.is_a?(String) ? title.sub(/\A::/, '').split('::').map(&:capitalize).join('::') : title
      @parameters = (options[:parameters] || {}).to_h { |key, value| [key.to_sym, value] }
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

    def to_hash
      @parameters
    end
    alias to_h to_hash

    def name
      @parameters[:name] || title
    end

    def inspect
      "#{ref}#{parameters.inspect}"
    end

    def class?
      type == 'Class'
    end

    def stage?
      type == 'Stage'
    end

    def resource_type
      type
    end

    def ==(other)
      other.is_a?(Resource) && other.ref == ref
    end
    alias eql? ==

    def hash
      ref.hash
    end

    # The resources of one type or class.
    class Catalog
      def initialize(scope)
        @scope = scope
      end

      def classes
        @scope.bunraku_ask('classes')
      end

      def tags
        Puppet::Util::TagSet.new(@scope.bunraku_ask('tags'))
      end

      def resources
        @scope.bunraku_ask('resources').map { |data| Puppet::Parser::Resource.of(data) }
      end

      def resource(type, title = nil)
        type, title = Puppet::Parser::Scope.split_reference(type, title)
        Puppet::Parser::Resource.of(@scope.bunraku_ask('resource', type, title.to_s))
      end

      def name
        @scope.bunraku_ask('node_name')
      end

      def environment
        @scope.environment.name.to_s
      end
    end

    # A class or defined type as its own scope's source shows it.
    Type = Struct.new(:type, :name, :module_name)
  end

  # Environments and nodes, as far as functions look at them.
  class Node
    attr_reader :name, :scope

    def initialize(scope)
      @scope = scope
      @name = scope.bunraku_ask('node_name')
    end

    def facts
      Facts.new(name, parameters_of('facts'))
    end

    def parameters
      facts.values
    end

    def environment
      scope.environment
    end

    def trusted_data
      parameters_of('trusted')
    end

    def parameters_of(name)
      scope.lookupvar("::#{name}")
    end

    # A node's facts.
    Facts = Struct.new(:name, :values)

    # An environment.
    class Environment
      def initialize(scope)
        @scope = scope
      end

      def name
        to_s.to_sym
      end

      def to_s
        @scope.bunraku_ask('environment')['name']
      end

      def modulepath
        @scope.bunraku_ask('environment')['modulepath']
      end
      alias full_modulepath modulepath

      def module(name)
        path = @scope.bunraku_ask('module_path', name.to_s)
        path && Module.new(name.to_s, path, self)
      end

      def modules
        @scope.bunraku_ask('environment')['modules'].map { |name, path| Module.new(name, path, self) }
      end

      def known_resource_types
        KnownTypes.new(@scope)
      end
    end
  end

  # A module of an environment.
  class Module
    attr_reader :name, :path, :environment

    def self.find(name, _environment = nil)
      Puppet::Node::Environment.new(Puppet::Parser::Scope.current).module(name)
    end

    def initialize(name, path, environment)
      @name = name
      @path = path
      @environment = environment
    end

    def file(name)
      existing('files', name)
    end

    def template(name)
      existing('templates', name)
    end

    def metadata
      JSON.parse(File.read(File.join(path, 'metadata.json')))
    end

    def version
      metadata['version']
    end

    def to_s
      "Module #{name}(#{path})"
    end

    private

    def existing(folder, name)
      found = File.join(path, folder, name.to_s)
      found if File.exist?(found)
    end
  end

  # Which classes and defined types there are.
  class KnownTypes
    def initialize(scope)
      @scope = scope
    end

    def find_hostclass(name)
      found('class', name, :hostclass)
    end
    alias hostclass find_hostclass

    def find_definition(name)
      found('define', name, :definition)
    end
    alias definition find_definition

    private

    def found(kind, name, type)
      module_name = @scope.bunraku_ask('definition', kind, name.to_s.downcase)
      module_name && Puppet::Resource::Type.new(type, name.to_s, module_name)
    end
  end

  module Parser
    # A resource of the catalog that is being compiled.
    class Resource < Puppet::Resource
      attr_reader :tags, :file, :line

      def self.of(data)
        return nil if data.nil?

        title = data['type'] == 'Class' && data['title'] == 'main' ? :main : data['title']
        new(data['type'], title, parameters: data['parameters']).with(data)
      end

      def with(data)
        @tags = Puppet::Util::TagSet.new(data['tags'])
        @file = data['file']
        @line = data['line']
        @virtual = data['virtual']
        @exported = data['exported']
        self
      end

      def virtual?
        @virtual
      end

      def exported?
        @exported
      end

      def tagged?(*names)
        names.flatten.any? { |name| @tags.include?(name.to_s.downcase) }
      end
    end

    # The compile, as far as functions look at it.
    class Compiler
      def initialize(scope)
        @scope = scope
      end

      def catalog
        @scope.catalog
      end

      def node
        Puppet::Node.new(@scope)
      end

      def environment
        @scope.environment
      end

      def topscope
        @scope.bunraku_ask('top_scope')
      end

      def findresource(*arguments)
        @scope.findresource(*arguments)
      end

      def resources
        catalog.resources
      end

      def evaluate_classes(classes, scope, _lazy = true)
        scope.call_function('include', [classes])
      end

      def add_class(name)
        @scope.bunraku_ask('add_class', name.to_s)
      end
    end

    # Variables, and the way to functions, the catalog and the environment.
    class Scope
      attr_reader :bunraku_id

      class << self
        attr_accessor :current

        def split_reference(type, title)
          return [type.type, type.title] if type.is_a?(Puppet::Resource)
          return [type.to_s, title] unless title.nil?

          found = /\A([^\[\]]+)\[(.*)\]\z/m.match(type.to_s)
          raise ArgumentError, "'#{type}' is no reference to a resource" unless found

          [found[1], found[2]]
        end
      end

      def initialize(id)
        @bunraku_id = id
        Scope.current = self
      end

      def bunraku_ask(what, *arguments)
        Bunraku.ask(what, bunraku_id, *arguments)
      end

      # -- variables -----------------------------------------------------------------------------

      def lookupvar(name, _options = {})
        raise Puppet::DevError, "the name of a variable must be a string, not #{name.inspect}" unless name.is_a?(String)

        bunraku_ask('lookup', name)
      end

      def [](name, options = {})
        lookupvar(name, options)
      end

      def setvar(name, value, _options = {})
        number = bunraku_ask('set', name.to_s, Bunraku.encode(value))
        Bunraku.keep_variable(number, value) if number
        value
      end

      def []=(name, value)
        setvar(name, value)
      end

      def exist?(name)
        bunraku_ask('exists', name.to_s)
      end

      def include?(name)
        bunraku_ask('has_value', name.to_s)
      end

      def bound?(name)
        bunraku_ask('bound', name.to_s)
      end

      def to_hash(_recursive = true, include_undef = false) # rubocop:disable Style/OptionalBooleanParameter
        bunraku_ask('variables', include_undef)
      end

      def undef_as(other, value)
        value.nil? || value == :undef ? other : value
      end

      # -- functions -----------------------------------------------------------------------------

      def call_function(name, arguments = [], &block)
        arguments = [arguments] unless arguments.is_a?(Array)
        Bunraku.call_function(bunraku_id, name, arguments, block)
      end

      def method_missing(name, *arguments, &block)
        return super unless (function = /\Afunction_(\w+)\z/.match(name.to_s)) && Functions.function(function[1], self)

        unless arguments.length == 1 && arguments[0].is_a?(Array)
          raise ArgumentError, "#{name} takes one array that holds the arguments: #{name}([1, 2])"
        end
        if Bunraku.known("only new #{function[1]}") { bunraku_ask('is_only_new', function[1]) }
          raise Puppet::ParseError, "#{function[1]}() has only the new form: use scope.call_function('#{function[1]}', …)"
        end
        Bunraku.call_function(bunraku_id, function[1], arguments[0], block)
      end

      def respond_to_missing?(name, include_private = false)
        found = /\Afunction_(\w+)\z/.match(name.to_s)
        (found && Functions.function(found[1], self) && true) || super
      end

      # -- surroundings --------------------------------------------------------------------------

      def catalog
        Puppet::Resource::Catalog.new(self)
      end

      def compiler
        Compiler.new(self)
      end

      def environment
        Puppet::Node::Environment.new(self)
      end

      def known_resource_types
        Puppet::KnownTypes.new(self)
      end

      def find_hostclass(name)
        known_resource_types.find_hostclass(name)
      end

      def find_definition(name)
        known_resource_types.find_definition(name)
      end

      def findresource(type, title = nil)
        type, title = Scope.split_reference(type, title)
        Resource.of(bunraku_ask('resource', type, title.to_s))
      end

      def class_scope(name)
        bunraku_ask('class_scope', name.respond_to?(:name) ? name.name : name.to_s)
      end

      def resource
        Resource.of(bunraku_ask('own_resource'))
      end

      def source
        type, name, module_name = bunraku_ask('source')
        Puppet::Resource::Type.new(type.to_sym, name, module_name)
      end

      def parent
        bunraku_ask('parent_scope')
      end

      def module_name
        source.module_name
      end

      def is_topscope? # rubocop:disable Naming/PredicateName
        bunraku_ask('is_top')
      end

      def is_classscope? # rubocop:disable Naming/PredicateName
        source.type == :hostclass
      end

      def is_nodescope? # rubocop:disable Naming/PredicateName
        source.type == :node
      end

      %i[debug info notice warning err].each do |level|
        define_method(level) do |*messages|
          text = messages.join(' ')
          Bunraku.ask('log', level.to_s, Bunraku.encode(text), bunraku_id)
          level == :debug ? nil : text
        end
      end

      def to_s
        "Scope(#{bunraku_ask('title')})"
      end
      alias inspect to_s

      def ==(other)
        other.is_a?(Scope) && other.bunraku_id == bunraku_id
      end
      alias eql? ==

      def hash
        bunraku_id.hash
      end
    end
  end
end

module Bunraku
  class << self
    def call_function(scope, name, arguments, block)
      # Always the same for the same arguments, and much used where there is one template for all.
      if name.to_s == 'versioncmp' && arguments.all?(String)
        return known(['versioncmp', *arguments]) { ask('function', scope, 'versioncmp', arguments.map { |item| encode(item) }, nil) }
      end
      kept = block && keep_block(block)
      ask('function', scope, name.to_s, arguments.map { |item| encode(item) }, kept)
    ensure
      drop_block(kept['id']) if kept
    end
  end
end
