# frozen_string_literal: true

module Bunraku
  module RSpec
    # Work around the compile that rspec-puppet repeats, done once.
    module Speed
      # rspec-puppet adds the same filters with each catalog and compares every resource with all of them, and
      # looks for the directories of the module path for every resource.
      module Coverage
        def add_filter(type, title)
          super
          filters.uniq!
        end

        def add_from_catalog(catalog, test_module)
          @paths_of_modules = {}
          super
        ensure
          @paths_of_modules = nil
        end

        private

        def module_paths(test_module)
          return super unless @paths_of_modules

          @paths_of_modules[test_module] ||= super
        end
      end

      # rspec-puppet makes the loaders of an environment, which read every module, before each example. Puppet's
      # context calls a lambda where a value is needed, so they are made for an example that uses them.
      module Loaders
        def new(environment, *rest)
          return super unless Speed.preparing

          -> { super(environment, *rest) }
        end
      end

      # FacterDB searches its whole database as text for each operating system. Here it is parsed once, and a condition
      # is asked once for each value of its fact, not for each document.
      module Search
        EQUALITY = /\A[^=<>]+=[^=<>]+\z/.freeze

        def jgrep(json, expression, filters = nil, start = nil)
          return super if expression.empty? || filters || start

          read_once(json)
          stack = JGrep::Parser.new(expression).execution_stack
          conditions = stack.reject { |one| one.key?('and') }.map { |one| one['statement'] }
          return super unless conditions.all? { |one| one.is_a?(String) && EQUALITY.match?(one) }

          found = @documents.select { |one| conditions.all? { |condition| has_object?(one, condition) } }
          Marshal.load(Marshal.dump(found))
        rescue StandardError
          super # which prints what is wrong
        end

        def has_object?(document, statement)
          values = (@values ||= {})[statement[/[^=<>]+/]] ||= {}.compare_by_identity
          value = values[document] ||= dig_path(document, statement[/[^=<>]+/])
          return super unless value.is_a?(String)

          answers = (@answers ||= {})[statement] ||= {}
          answers.fetch(value) { answers[value] = super(document, statement) }
        end

        private

        def read_once(json)
          return if @text.equal?(json)

          @documents = JSON.parse(json)
          @text = json
          @values = {}
        end
      end

      # rspec-puppet copies the key of its cache, with all facts, and hashes it several times. Here the key is its text,
      # and facts that were made before have a name.
      module Catalogs
        def get(*arguments)
          key = Marshal.dump(arguments.map { |one| name_facts(one) })
          if @cache.key?(key)
            @lra << @lra.delete(key)
          else
            expire!
            Speed.arguments = key
            @cache[key] = (block_given? ? yield(*arguments) : @default_proc.call(*arguments))
            @lra << key
          end
          @cache[key]
        end

        private

        def name_facts(argument)
          return argument unless argument.is_a?(Hash) && argument.key?(:facts_val)

          argument.merge(facts_val: FactsOfExamples.named(argument[:facts_val]))
        end
      end

      # Puppet adds each type and provider that it loads to Ruby's list of loaded files.
      module Loaded
        def mark_loaded(name, file)
          CompiledRuby.provide(File.expand_path(file))
          super
        end
      end

      # Puppet joins the paths of all gems again for each type and provider that it loads.
      module Gems
        def gem_directories
          gems = [Gem::Specification.stubs.object_id, Gem::Specification.stubs.size, defined?(::Bundler)]
          @directories_of_gems = [gems, super] unless @directories_of_gems&.first == gems
          @directories_of_gems.last
        end
      end

      # Puppet looks for a file with a test for each fact that a provider names, although hardly any fact has one.
      module Tests
        def test(name)
          paths = $LOAD_PATH.hash
          missing = (@missing_tests ||= {})
          return if missing[name] == paths

          super.tap { |found| missing[name] = paths unless found }
        end
      end

      # Puppet defines functions for its log levels again before each example. Here that waits until a function is needed.
      module Functions
        def reset
          @reset_now ? super : @reset_later = true
        end

        def environment_module(*)
          reset_now if @reset_later
          super
        end

        private

        def reset_now
          @reset_later = false
          @reset_now = true
          reset
        ensure
          @reset_now = false
        end
      end

      # Puppet's helper for tests prepares the settings of an example, and rspec-puppet does it again with its own values.
      # The hooks of settings are called for those, and the folders of settings are made.
      module HelperSettings
        private

        def initialize_settings_before_each
          Speed.settings_change = ::RSpec::Puppet.rspec_puppet_example?
          super
        ensure
          Speed.settings_change = false
        end
      end

      module Settings
        def initialize_app_defaults(defaults)
          return super unless Speed.settings_change

          defaults.each { |name, value| @value_sets[:application_defaults].set(name, value) }
          unsafe_flush_cache
          @app_defaults_initialized = true
        end
      end

      # Puppet asks Facter to search the same directories again before each example, and requires it again.
      module Directories
        def search(*directories)
          super(*(directories.flatten - ::Facter::Options[:custom_dir]))
        end
      end

      module Loading
        def initialize
          return setup_logging if Speed.facter_loaded

          super
          Speed.prepare_facter
        end
      end

      # Facts that can change what Facter says about the name and the address of this machine.
      OF_THE_SERVER = /\A(?:networking|fqdn|hostname|domain|ipaddress)/.freeze

      @server_facts = {}
      @folders = {} # by process

      class << self
        attr_reader :preparing, :facter_loaded

        # All that decides the catalog of the current example, as text.
        attr_accessor :arguments

        # Whether the settings that are made now are made again for the example.
        attr_accessor :settings_change

        def install
          ::RSpec::Puppet::Coverage.prepend(Coverage)
          ::RSpec::Puppet::Cache.prepend(Catalogs)
          Puppet::Confine.singleton_class.prepend(Tests)
          Puppet::Util::Autoload.singleton_class.prepend(Loaded, Gems)
          Facts.install
          prepare_settings_once
          Messages.install
          DefaultProviders.install
          Graphs.install
          Platform.install
          Puppet::Parser::Functions.singleton_class.prepend(Functions)
          Puppet::Pops::Loaders.singleton_class.prepend(Loaders)
          search_once
          Puppet::FacterImpl.prepend(Loading) if defined?(Puppet::FacterImpl) # since Puppet 7
          around(:stub_facts!) { |original, facts| remember(facts) { Facts.put_off(original, facts) } }
          around(:server_facts_hash) { |original| server_facts(&original) }
          around(:setup_puppet) { |original| with_libraries(original) }
        end

        # Puts off loaders that are made in the block.
        def prepare
          @preparing = true
          yield
        ensure
          @preparing = false
        end

        # Facter has options since version 4.
        def prepare_facter
          @facter_loaded = true
          ::Facter.singleton_class.prepend(Directories) if defined?(::Facter::Options)
        end

        # Replaces a method of rspec-puppet's examples; a module that is included already ignores prepend before Ruby 3.0.
        def around(name, &block)
          ::RSpec::Puppet::Support.class_eval do
            before = instance_method(name)
            define_method(name) { |*arguments| block.call(before.bind(self), *arguments) }
          end
        end

        private

        def prepare_settings_once
          Puppet::Test::TestHelper.singleton_class.prepend(HelperSettings)
          Puppet::Settings.prepend(Settings)
        end

        # A suite without FacterDB has no jgrep.
        def search_once
          require 'jgrep'
          JGrep.singleton_class.prepend(Search)
          require 'facterdb'
          FactSets.install
        rescue LoadError
          nil
        end

        def remember(facts)
          @facts = facts.select { |name, _| OF_THE_SERVER.match?(name.to_s) }
          yield
        end

        # rspec-puppet adds the `lib` directories of all modules to the load path again with each catalog, and Ruby looks
        # into all of them for each file that it requires.
        def with_libraries(original)
          directories = original.receiver.adapter.modulepath.to_h { |one| [one, File.mtime(one)] }
          return original.call.tap { note_libraries(directories) } unless @libraries == directories

          Puppet[:vardir] = empty_folder
          nil # rspec-puppet removes the folder that it gets
        end

        # Returns a folder for Puppet's files: the same one until something writes into it.
        def empty_folder
          folder = @folders[Process.pid]&.last
          return folder if folder && File.directory?(folder) && Dir.empty?(folder)

          at_exit { FileUtils.rm_rf(@folders[Process.pid]) } unless folder
          Dir.mktmpdir.tap { |made| (@folders[Process.pid] ||= []) << made }
        end

        def note_libraries(directories)
          $LOAD_PATH.uniq!
          @libraries = directories
        end

        # rspec-puppet runs programs for each catalog to learn the name and the address of this machine.
        def server_facts
          return yield if Stubs.doubled

          (@server_facts[@facts] ||= yield).dup
        end
      end
    end
  end
end
