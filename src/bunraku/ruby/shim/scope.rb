# frozen_string_literal: true

module Puppet
  autoload(:Module, "#{__dir__}/node.rb")
  autoload(:Node, "#{__dir__}/node.rb")
  autoload(:KnownTypes, "#{__dir__}/node.rb")
  autoload(:Resource, "#{__dir__}/resources.rb")

  module Parser
    autoload(:Resource, "#{__dir__}/resources.rb")

    # The compile, as far as functions look at it.
    class Compiler
      # The compile that runs; code may give it methods and variables of its own.
      def self.bunraku_running
        Bunraku.known('compiler') { new }
      end

      def catalog
        Puppet::Resource::Catalog.bunraku_running
      end

      def node
        @node ||= Puppet::Node.new(topscope)
      end

      def environment
        Puppet::Node::Environment.bunraku_running
      end

      def topscope
        Bunraku.ask('top_scope', nil)
      end

      def loaders
        Puppet.lookup(:loaders)
      end

      def findresource(*arguments)
        topscope.findresource(*arguments)
      end

      # What code has declared; the stage and the classes that are always there do not count.
      def resources
        catalog.resources.reject { |resource| %w[Stage[main] Class[Settings]].include?(resource.ref) }
      end

      # Declare a resource that code made, in the class or resource of a scope.
      def add_resource(scope, resource)
        catalog.bunraku_add(resource, scope)
      end

      def evaluate_classes(classes, given_scope, _lazy = true)
        given_scope.call_function('include', [classes])
        names = classes.is_a?(Hash) ? classes.keys : classes
        Array(names).map { |name| catalog.resource('Class', name.to_s) }
      end

      def add_class(name)
        Bunraku.ask('add_class', nil, name.to_s)
      end

      # Collectors and overrides are Puppet code's own.
      def collections
        []
      end

      def resource_overrides
        {}
      end

      def qualified_variables
        {}
      end
    end

    # Variables, and the way to functions, the catalog and the environment.
    class Scope
      # The number of what shows the local variables of the running code, too.
      attr_accessor :bunraku_view
      attr_reader :bunraku_own

      class << self
        # Whether the code that runs reads all variables, and all facts, by keys only.
        attr_accessor :bunraku_keyed, :bunraku_keyed_facts
        attr_accessor :bunraku_current

        # The object of a scope: the same one all through a compile.
        def bunraku_of(id)
          Bunraku.known(id) { new(id) }
        end

        # The scope of the code that runs from now on; with the local variables of the caller in view.
        def bunraku_running(frame)
          self.bunraku_current = bunraku_of(frame['own'])
          bunraku_current.bunraku_view = frame['scope']
          self.bunraku_keyed = frame['keyed']
          self.bunraku_keyed_facts = frame['keyed_facts']
          bunraku_current
        end

        # Run a request; then the scope of before runs again, with what it had in view.
        def bunraku_around
          outer = bunraku_current
          keyed = bunraku_keyed
          keyed_facts = bunraku_keyed_facts
          view = outer&.bunraku_view
          yield
        ensure
          bunraku_current.bunraku_view = nil if bunraku_current
          self.bunraku_keyed = keyed
          self.bunraku_keyed_facts = keyed_facts
          outer.bunraku_view = view if outer
          self.bunraku_current = outer if outer
        end

        def bunraku_split_reference(type, title)
          return [type.type, type.title] if type.is_a?(Puppet::Resource)
          return [type.to_s, title] unless title.nil?

          found = /\A([^\[\]]+)\[(.*)\]\z/m.match(type.to_s)
          raise ArgumentError, "'#{type}' is not a reference to a resource" unless found

          [found[1], found[2]]
        end
      end

      def initialize(id)
        @bunraku_own = id
      end

      def bunraku_id
        bunraku_view || bunraku_own
      end

      def bunraku_ask(what, *arguments)
        Bunraku.ask(what, bunraku_id, *arguments)
      end

      # -- variables -----------------------------------------------------------------------------

      def lookupvar(name, _options = {})
        raise Puppet::ParseError, "the name of a variable must be a string, not #{name.inspect}" unless name.is_a?(String)

        return Bunraku::KeyedFacts.new if Scope.bunraku_keyed_facts && %w[facts ::facts].include?(name)

        bunraku_ask('lookup', name)
      end

      def [](name, options = {})
        lookupvar(name, options)
      end

      def setvar(name, value, _options = {})
        bunraku_ask('set', name.to_s, Bunraku::Shared.container?(value) ? Bunraku::Shared.encode(value) : Bunraku.encode(value))
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

      def to_hash(recursive = true, include_undef = false) # rubocop:disable Style/OptionalBooleanParameter
        return Bunraku::KeyedVariables.new(self) if Scope.bunraku_keyed && recursive && !include_undef

        bunraku_ask('variables', include_undef, recursive ? true : false)
      end

      # A variable of this very scope; nil for others.
      def get_local_variable(name)
        lookupvar(name) if bound?(name)
      end

      def has_local_variable?(name) # rubocop:disable Naming/PredicateName
        bound?(name) || nil
      end

      def lookup_qualified_variable(name, _options = {})
        lookupvar(name)
      end

      def with_global_scope
        yield find_global_scope
      end

      # Names of classes as absolute names.
      def transform_and_assert_classnames(names)
        names.map do |name|
          case name
          when nil then raise ArgumentError, 'undef is not the name of a class'
          when String
            raise ArgumentError, 'an empty string is not the name of a class' if name.empty?

            name.sub(/\A(?!::)/, '::')
          when Puppet::Resource then name.title.sub(/\A(?!::)/, '::')
          when Puppet::Pops::Types::PClassType then (name.class_name || raise(ArgumentError, 'Class is no name of a class')).sub(/\A(?!::)/, '::')
          else raise ArgumentError, "#{name} is not the name of a class"
          end
        end
      end

      def undef_as(other, value)
        value.nil? || value == :undef ? other : value
      end

      # -- functions -----------------------------------------------------------------------------

      def call_function(name, arguments, &block)
        Bunraku.call_function(bunraku_id, name, [*arguments], block)
      end

      def method_missing(name, *arguments, &block)
        return bunraku_known_types if name == :known_resource_types && Bunraku.old?

        function = name.to_s[/\Afunction_(.+)\z/m, 1]
        return super unless function && Functions.function(function)

        unless arguments.length == 1 && arguments[0].is_a?(Array)
          raise ArgumentError, "#{name} takes one array that holds the arguments: #{name}([1, 2])"
        end
        Bunraku::OldFunctions.call(self, function, arguments[0], block)
      end

      # Only functions that were loaded count.
      def respond_to_missing?(name, include_private = false)
        found = name.to_s[/\Afunction_(.+)\z/m, 1]
        (found && bunraku_loaded?(found)) || (name == :known_resource_types && Bunraku.old?) || super
      end

      def bunraku_loaded?(name)
        Bunraku::OldFunctions.loaded(name) ? true : bunraku_ask('is_old_loaded', name)
      end

      # -- surroundings --------------------------------------------------------------------------

      def catalog
        Puppet::Resource::Catalog.bunraku_running
      end

      def compiler
        Compiler.bunraku_running
      end

      def environment
        Puppet::Node::Environment.bunraku_running
      end

      def bunraku_known_types
        Puppet::KnownTypes.bunraku_running
      end

      def find_hostclass(name)
        bunraku_known_types.find_hostclass(name)
      end

      def find_resource_type(name)
        Puppet::Type.type(name) || find_definition(name)
      end
      alias find_builtin_resource_type find_resource_type

      def find_defined_resource_type(name)
        find_definition(name)
      end

      def find_definition(name)
        bunraku_known_types.find_definition(name)
      end

      def findresource(type, title = nil)
        type, title = Scope.bunraku_split_reference(type, title)
        title = Puppet::Resource.bunraku_capitalized(title) if type.casecmp?('class')
        Resource.bunraku_of(bunraku_ask('resource', type, title.to_s))
      end

      # The resource defaults in force for a type, by the name of the parameter.
      def lookupdefaults(type)
        bunraku_ask('defaults', type.to_s).to_h do |name, value|
          [name.to_sym, Resource::Param.new(name: name, value: value)]
        end
      end

      # A function can define lookupdefaults of one scope, by itself or with a module.
      def singleton_method_added(name)
        super
        bunraku_compute_defaults if name == :lookupdefaults
      end

      def extend(*modules)
        super.tap { bunraku_compute_defaults if modules.any? { |one| one.method_defined?(:lookupdefaults) } }
      end

      def bunraku_compute_defaults
        @defaults ||= Hash.new { |types, type| types[type] = {} }
        found = ->(type) { lookupdefaults(type).to_h { |name, parameter| [name.to_s, parameter.value] } }
        @bunraku_id = bunraku_ask('compute_defaults', Bunraku.keep_block(found))
      end

      def is_default?(type, name, value) # rubocop:disable Naming/PredicateName
        bunraku_ask('defaults_of_callers', type.to_s, name.to_s).include?(value)
      end

      def class_scope(name)
        bunraku_ask('class_scope', name.respond_to?(:name) ? name.name : name.to_s)
      end

      def resource
        Resource.bunraku_of(bunraku_ask('own_resource'))
      end

      def source
        type, name, module_name = bunraku_ask('source')
        Puppet::Resource::Type.new(type.to_sym, name, 'module_name' => module_name)
      end

      def parent
        bunraku_ask('parent_scope')
      end

      def enclosing_scope
        parent
      end

      # The scope of the class that the class of this scope inherits.
      def inherited_scope
        name = is_classscope? && source.name != '' ? find_hostclass(source.name)&.parent : nil
        name && class_scope(name)
      end

      def find_global_scope
        bunraku_ask('top_scope')
      end

      def parent_module_name
        name = parent&.source&.module_name
        name == '' ? nil : name
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

      %i[debug info notice warning err alert emerg crit].each do |level|
        define_method(level) do |*messages|
          Puppet::Util::Log.create(level: level, source: self, message: messages.join(' '))
        end
      end

      def to_s
        "Scope(#{bunraku_ask('title')})"
      end
      alias inspect to_s

      def ==(other)
        other.is_a?(Scope) && other.bunraku_own == bunraku_own
      end
      alias eql? ==

      def hash
        bunraku_own.hash
      end
    end
  end
end

module Bunraku
  # A hash for code that only reads its keys, so the compile depends on no others.
  class KeyedHash
    %i[has_key? include? member?].each { |name| define_method(name) { |key| key?(key) } }

    def [](name)
      value(name) if key?(name)
    end

    def fetch(name, *default, &block)
      key?(name) ? value(name) : {}.fetch(name, *default, &block)
    end

    def dig(name, *rest)
      found = self[name]
      rest.empty? || found.nil? ? found : found.dig(*rest)
    end
  end

  # All variables of a scope.
  class KeyedVariables < KeyedHash
    def initialize(scope)
      super()
      @scope = scope
    end

    def key?(name)
      name.is_a?(String) && name.match?(/\A\w+\z/) && @scope.include?(name)
    end

    private

    def value(name)
      @scope[name]
    end
  end

  # All facts.
  class KeyedFacts < KeyedHash
    def key?(name)
      name.is_a?(String) && Bunraku.ask('has_fact', name)
    end

    private

    def value(name)
      Bunraku.ask('fact_value', name)
    end
  end

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

    # Runs the signature of a function that takes the arguments.
    def dispatch(scope, path, arguments, block)
      kept = block && keep_block(block)
      ask('dispatch', scope, path, arguments.map { |item| encode(item) }, kept)
    ensure
      drop_block(kept['id']) if kept
    end
  end
end
