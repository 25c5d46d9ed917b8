# frozen_string_literal: true

module Bunraku
  # Files that functions and templates require.
  module Loading
    GLOBAL = /\$[A-Za-z_]\w*/.freeze
    SET_GLOBAL = /(#{GLOBAL})\s*(?:\|\||&&|<<|>>|\*\*|[-+*\/%&|^])?=(?![=~])/.freeze
    # Where files of functions and templates leave constants and variables, with the constants that are there before.
    PLACES = [Puppet::Pops::Loader::RubyFunctionInstantiator, Puppet::Pops::Loader::RubyLegacyFunctionInstantiator,
              Puppet::Parser::Functions, Puppet::Parser::TemplateWrapper]
             .to_h { |place| [place, place.constants(false)] }.freeze
    @globals = []
    PROVIDED = %r{\A(?:puppet|facter|hiera|semantic_puppet)(?:/|\.rb\z|\z)}.freeze

    class << self
      attr_reader :libraries

      # The lib folders of all modules; they come after Ruby's own.
      def libraries=(folders)
        return if folders == @libraries

        $LOAD_PATH.reject! { |folder| @libraries&.include?(folder) }
        $LOAD_PATH.concat(folders)
        @libraries = folders
      end

      # From now on another compile: nothing is left of what files of functions defined at their top, or templates, so the
      # catalog of a node does not depend on those before.
      def forget
        @globals.each { |name| TOPLEVEL_BINDING.eval("#{name} = nil") }
        PLACES.each do |place, constants|
          (place.constants(false) - constants).each { |name| place.__send__(:remove_const, name) }
          place.class_variables(false).each { |name| place.remove_class_variable(name) }
          place.instance_variables.each { |name| place.remove_instance_variable(name) }
        end
      end

      # The value of a file's text, which runs inside a class, as in Puppet.
      def evaluate(place, path, text)
        before = global_variables
        loader = Puppet::Parser::Scope.bunraku_current && Puppet.lookup(:loaders).private_environment_loader
        place.bunraku_binding_for(loader).eval(text, path, 1)
      ensure
        note_globals(text, before)
      end

      # Remember the global variables of a file's code; those that a file sets which it requires stay.
      def note_globals(text, before = global_variables)
        set = text.scan(SET_GLOBAL).map(&:first)
        @globals |= text.scan(GLOBAL).reject do |name|
          before.include?(name.to_sym) || (global_variables.include?(name.to_sym) && !set.include?(name))
        end
      end

      # Whether this program stands in for a file that is required, and no module has one.
      def provided?(name)
        PROVIDED.match?(name) && !library_file(name)
      end

      def library_file(name)
        file = name.end_with?('.rb') ? name : "#{name}.rb"
        folder = (libraries || []).find { |item| File.file?(File.join(item, file)) }
        folder && File.join(folder, file)
      end

      # A module's file; else Ruby's own; else one of a gem.
      def require_file(name)
        name = Installed.name_of(name)
        if provided?(name)
          Installed.skip(name)
          return false
        end
        return bunraku_require(library_file(name)) if PROVIDED.match?(name)

        held = held_file(name)
        return require_held(*held) if held

        begin
          bunraku_require(name)
        rescue LoadError => e
          raise if e.path != name || gems_loaded? || !gems?

          TOPLEVEL_BINDING.receiver.__send__(:require, name)
        end
      end

      # A module's file that only Python can read, with its path; nil for every other.
      def held_file(name)
        return nil if libraries.nil? || on_disk?(name)

        @held ||= {}
        @held.fetch(name) { @held[name] = Bunraku.ask('library', name) }
      end

      # Whether Ruby finds a file itself: one of its own, of a gem, or of a module in a real folder.
      def on_disk?(name)
        $LOAD_PATH.resolve_feature_path(name) ? true : false
      rescue LoadError # Ruby 2.7
        false
      end

      def require_held(path, text)
        return false if $LOADED_FEATURES.include?(path)

        $LOADED_FEATURES << path
        TOPLEVEL_BINDING.dup.eval(text, path, 1)
        true
      end

      # RubyGems has replaced Kernel#require, so require finds gems.
      def gems_loaded?
        Object.autoload?(:Gem).nil? && Object.const_defined?(:Gem)
      end

      def gems?
        bunraku_require('rubygems')
        true
      rescue LoadError
        false
      end
    end
  end
end

module Kernel
  alias bunraku_require require
  private :bunraku_require

  def require(name)
    name = name.respond_to?(:to_path) ? name.to_path : name
    Bunraku::Loading.require_file(name)
  end
  private :require

  # Ruby's own needs a real file.
  def require_relative(name)
    place = caller_locations(1, 1).first
    require File.expand_path(name, File.dirname(place.absolute_path || place.path))
  end
  private :require_relative
end

module Bunraku
  # Here the method above is reached by its old name.
  module Loading
    class << self
      public :bunraku_require
    end
  end
end
