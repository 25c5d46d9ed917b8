# frozen_string_literal: true

module Puppet
  # The node of a compile, or one that code makes up.
  class Node
    attr_reader :name
    attr_writer :classes

    def initialize(name_or_scope, options = {})
      @scope = name_or_scope if name_or_scope.is_a?(Puppet::Parser::Scope)
      @name = @scope ? @scope.bunraku_ask('node_name') : name_or_scope
      @parameters = options[:parameters]
      @facts = options[:facts]
      @environment = options[:environment]
      @classes = options[:classes]
    end

    def bunraku_scope
      @scope || Puppet::Parser::Scope.bunraku_current
    end

    def facts
      @facts ||= Facts.new(name, @scope ? bunraku_parameters_of('facts') : {})
    end

    # What is a variable at top scope: facts, and what the classifier gives.
    def parameters
      @parameters ||= @scope ? bunraku_scope.bunraku_ask('node_parameters') : {}
    end

    def classes
      @classes ||= @scope ? bunraku_scope.bunraku_ask('node_classes') : {}
    end

    def environment
      @environment || bunraku_scope.environment
    end

    def environment_name
      environment.name
    end

    def trusted_data
      bunraku_parameters_of('trusted')
    end

    def merge(parameters)
      @parameters = self.parameters.merge(parameters)
    end

    def bunraku_parameters_of(name)
      bunraku_scope.lookupvar("::#{name}")
    end

    # A node's facts.
    class Facts
      attr_accessor :name, :values

      def initialize(name, values = {})
        @name = name
        @values = values
      end

      def to_data_hash
        { 'name' => name, 'values' => values }
      end
    end

    # An environment: that of the compile, or one that code makes up.
    class Environment
      # What environment.conf says.
      Configuration = Struct.new(:name, :modulepath, :manifest, :config_version)

      class << self
        def create(name, modulepath, manifest = nil, config_version = nil)
          Made.new(name, modulepath, manifest, config_version)
        end
      end

      # The environment of the compile: one object, to which code may give methods and variables.
      def self.bunraku_running
        Bunraku.known('running environment') { new }
      end

      def name
        to_s.to_sym
      end

      def to_s
        about['name']
      end

      def modulepath
        about['modulepath']
      end

      def full_modulepath
        modulepath
      end

      def manifest
        about['manifest'] || :no_manifest
      end

      def config_version
        nil
      end

      def configuration
        Configuration.new(to_s, modulepath, manifest, config_version)
      end

      def static_catalogs?
        Puppet[:static_catalogs]
      end

      def rich_data?
        Puppet[:rich_data]
      end

      def module(name)
        path = Bunraku.ask('module_path', nil, name.to_s)
        path && Module.new(name.to_s, path, self)
      end

      def modules
        about['modules'].map { |name, path| Module.new(name, path, self) }
      end

      def modules_by_path
        modulepath.to_h { |folder| [folder, modules.select { |item| File.dirname(item.path) == folder }] }
      end

      def module_by_forge_name(name)
        owner, module_name = name.split(%r{[/-]}, 2)
        found = self.module(module_name)
        found if found && found.forge_name&.split('/')&.first == owner
      end

      def known_resource_types
        KnownTypes.bunraku_running
      end

      def ==(other)
        other.is_a?(Environment) && other.to_s == to_s && other.modulepath == modulepath
      end
      alias eql? ==

      def hash
        to_s.hash
      end

      private

      def about
        Bunraku.known('environment') { Bunraku.ask('environment', nil) }
      end

      # An environment that code makes up.
      class Made < Environment
        def initialize(name, modulepath, manifest, config_version)
          super()
          @name = name
          @modulepath = modulepath
          @manifest = manifest
          @config_version = config_version
        end
        attr_reader :config_version

        private

        def about
          { 'name' => @name.to_s, 'modulepath' => @modulepath, 'manifest' => @manifest, 'modules' => [] }
        end
      end
    end
  end

  # A module of an environment.
  class Module
    class Error < Puppet::Error; end
    class MissingModule < Error; end

    attr_reader :name, :path, :environment

    def self.find(name, _environment = nil)
      name.nil? ? nil : Puppet::Node::Environment.bunraku_running.module(name)
    end

    def initialize(name, path, environment)
      @name = name
      @path = path
      @environment = environment
    end

    { file: 'files', template: 'templates', manifest: 'manifests', plugin: 'lib', pluginfact: 'facts.d' }.each do |kind, folder|
      define_method(kind) { |name| existing(folder, name) }
      define_method(:"#{kind}s?") { File.directory?(File.join(path, folder)) }
    end

    def manifests
      File.join(path, 'manifests')
    end

    def metadata_file
      File.join(path, 'metadata.json')
    end

    def has_metadata? # rubocop:disable Naming/PredicateName
      File.file?(metadata_file)
    end

    def metadata
      has_metadata? ? JSON.parse(File.read(metadata_file, encoding: 'utf-8')) : {}
    end

    def version
      metadata['version']
    end

    def author
      metadata['author']
    end

    def source
      metadata['source']
    end

    def forge_name
      metadata['name']&.tr('-', '/')
    end

    def dependencies
      metadata['dependencies']
    end

    def dependencies_as_modules
      (dependencies || []).filter_map { |item| environment.module(item['name'].split(%r{[/-]}, 2).last) }
    end

    def ==(other)
      other.is_a?(Module) && other.name == name && other.path == path
    end

    def to_s
      "Module #{name}(#{path})"
    end

    private

    def existing(folder, name)
      found = name ? File.join(path, folder, name.to_s) : File.join(path, folder)
      found if File.exist?(found)
    end
  end

  # Which classes and defined types there are.
  class KnownTypes
    def self.bunraku_running
      Bunraku.known('known types') { new }
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
      about = Bunraku.ask('definition', nil, kind, name.to_s.downcase.sub(/\A::/, ''))
      about && Puppet::Resource::Type.new(type, about['name'], about)
    end
  end
end
