# frozen_string_literal: true

module Puppet
  module Parser
    # Functions of the old kind: ``Puppet::Parser::Functions.newfunction(:name) { |args| … }``.
    module Functions
      # Loads the files of functions. Each method has said since Puppet 4 that nothing needs it.
      module Autoloader
        class << self
          def load(name, *)
            warn_of("load(\"#{name}\")")
            Functions.function(name) && true
          end

          def loaded?(name)
            warn_of("loaded?(\"#{name}\")")
            Functions.function(name) && true
          end

          def loadall(*)
            warn_of('loadall')
            true
          end

          private

          def warn_of(call)
            text = "The method 'Puppet::Parser::Functions.autoloader##{call}' is deprecated in favor of using 'Scope#call_function'."
            Puppet.warn_once('deprecations', "Puppet::Parser::Functions##{call}", text)
          end
        end
      end

      class << self
        # Define a function. It exists from now on, whatever the name of the file.
        def newfunction(name, options = {}, &block)
          type = options[:type] || :statement
          raise Puppet::DevError, "a function cannot be of the type #{type.inspect}" unless %i[rvalue statement].include?(type)

          Bunraku::OldFunctions.define(name.to_s, type, options[:arity] || -1, block)
          { arity: options[:arity] || -1, type: type, name: "function_#{name}" }.merge(options.slice(:doc))
        end

        # The name of the method that calls a function; false without one. Its file is loaded.
        def function(name, _environment = nil)
          Bunraku::OldFunctions.find(name.to_s) ? "function_#{name}" : false
        end

        # Whether a function that was loaded has a value.
        def rvalue?(name, _environment = nil)
          found = Bunraku::OldFunctions.loaded(name.to_s)
          found ? found.type == :rvalue : false
        end

        def arity(name, _environment = nil)
          Bunraku::OldFunctions.loaded(name.to_s)&.arity || -1
        end

        def autoloader
          Autoloader
        end

        def environment_module(_environment = nil)
          self
        end

        def reset
          nil
        end
      end
    end
  end
end

module Bunraku
  # The functions of the old kind that exist in a compile. All of a file exists once the file was
  # loaded, by whatever name; a later definition replaces an earlier one.
  module OldFunctions
    # ``type`` is ``:rvalue`` or ``:statement``; ``body`` is a method of the scope, nil for a function that Python has.
    Definition = Struct.new(:name, :type, :arity, :body) do
      def call(scope, arguments)
        check_count(arguments.length)
        found = OldFunctions.returned(body.bind_call(scope, arguments))
        type == :rvalue ? found : nil
      end

      def check_count(count)
        return if arity.negative? ? count >= -arity - 1 : count == arity

        expected = arity.negative? ? "at least #{-arity - 1}" : arity
        raise ArgumentError, "#{name}(): takes #{expected} arguments, got #{count}"
      end
    end

    DEPRECATED = %w[contain include require].freeze # with a warning when they are called in the old form
    @by_path = {}
    @texts = {}
    @defined = {}
    @news = []
    @path = nil

    class << self
      # From now on another compile: nothing is loaded.
      def forget
        @defined = {}
        @news = []
        @active = {}
        @in_python = {}
      end

      def define(name, type, arity, block)
        method_name = :"real_function_#{name}"
        Puppet.warning("The function '#{name}' is defined again; the later definition counts") if @defined.key?(name)
        Puppet::Parser::Scope.define_method(method_name, &block)
        made = @defined[name] = Definition.new(name, type, arity, Puppet::Parser::Scope.instance_method(method_name))
        (@by_path[@path] ||= {})[name] = made if @path
        @news << [*describe(made), @path || '']
      end

      def describe(definition)
        [definition.name, definition.type.to_s, definition.arity]
      end

      def news?
        !@news.empty?
      end

      # The functions that Python does not know yet.
      def news
        found = @news
        @news = []
        found
      end

      def loaded(name)
        @defined[name] || @in_python[name]
      end

      # A function by its name; Python loads the file of that name if there is one.
      def find(name)
        found = loaded(name)
        return found if found

        scope = Puppet::Parser::Scope.bunraku_current
        kind, arity = scope&.bunraku_ask('old_function', name)
        return @in_python[name] = Definition.new(name, kind.to_sym, arity, nil) if arity

        kind && activate(kind) && @defined[name]
      end

      # Call a function with arguments as they are.
      def call(scope, name, arguments, block)
        found = find(name)
        return found.call(scope, arguments) if found.body
        if Bunraku.known("only new #{name}") { scope.bunraku_ask('is_only_new', name) }
          raise Puppet::ParseError, "#{name}() has only the new form: use scope.call_function('#{name}', …)"
        end

        warn_of_old_form(name) if DEPRECATED.include?(name) && !Bunraku.old?
        Bunraku.call_function(scope.bunraku_id, name, arguments, block)
      end

      def warn_of_old_form(name)
        Puppet.warn_once('deprecations', "3xfunction##{name}", "Calling function_#{name} via the Scope class is deprecated. Use Scope#call_function instead")
      end

      # Let the functions of a file exist that an earlier compile loaded: the file runs again. A file that it
      # requires does not.
      def activate(path)
        return true if @active[path]

        earlier = @by_path[path] || {}
        run(path, @texts[path]) if @texts.key?(path)
        earlier.each { |name, made| @defined[name] ||= made }
        @active[path] = true
      end

      # Run a file, as Puppet does: what it defines last must be the function of its name.
      def load(path, text, name, methods_refused)
        refuse_methods(path, text) if methods_refused
        made = run(path, text)
        check(made, name) if name && methods_refused
        raise ArgumentError, "the file defines no function '#{name}'" if name && !@defined.key?(name)

        @texts[path] = text
        (@by_path[path] || {}).values.map { |item| describe(item) }
      end

      # The value of a file's text.
      def run(path, text)
        outer, @path = @path, path
        @active[path] = true
        Loading.evaluate(Puppet::Pops::Loader::RubyLegacyFunctionInstantiator, path, text)
      ensure
        @path = outer
      end

      def check(made, name)
        found = made.is_a?(Hash) ? made[:name] : nil
        return if found == "function_#{name}"
        raise ArgumentError, "the file defines the function '#{found.delete_prefix('function_')}' last, not '#{name}'" if found

        raise ArgumentError, "the file ends with #{Functions.kind_of(made)}, not with a call of newfunction"
      end

      # Since version 4 Puppet refuses files of the old kind that define methods.
      def refuse_methods(path, text)
        return unless text.match?(/\bdef\b/)

        require 'ripper'
        name, line = defined_method(Ripper.sexp(text))
        return unless name

        raise SecurityError, "it defines the method '#{name}', which Puppet refuses in a function of the old kind; use " \
                             "Puppet::Functions.create_function, or define the method in lib/puppet_x (file: #{path}, line: #{line})"
      end

      # The name and line of the first method that a tree of Ripper's defines.
      def defined_method(tree)
        return nil unless tree.is_a?(Array)

        if %i[def defs].include?(tree[0])
          name = tree.find { |item| item.is_a?(Array) && item[0].to_s.start_with?('@') && item[0] != :@period }
          return [name && name[1], name && name[2] && name[2][0]]
        end

        tree.each do |item|
          found = defined_method(item)
          return found if found
        end
        nil
      end

      # Arguments are copies, which code may change.
      def argument(value)
        case value
        when String then value.frozen? ? +value : value
        when Array then value.map { |item| argument(item) }
        when Hash then value.to_h { |key, item| [key, argument(item)] }
        else value
        end
      end

      # What a function returned, without undef's symbol; arrays and hashes are copied.
      def returned(value)
        case value
        when :undef then nil
        when Array then value.map { |item| returned(item) }
        when Hash then value.to_h { |key, item| [returned(key), returned(item)] }
        else value
        end
      end
    end
  end

  on('load_old') do |frame|
    Loading.libraries = frame['libraries']
    OldFunctions.load(frame['path'], decode(frame['text']), frame['name'], !frame['old'])
  end

  on('call_old') do |frame|
    OldFunctions.activate(frame['path'])
    scope = Puppet::Parser::Scope.bunraku_running(frame)
    OldFunctions.loaded(frame['name']).call(scope, frame['args'].map { |item| OldFunctions.argument(decode(item)) })
  end
end
