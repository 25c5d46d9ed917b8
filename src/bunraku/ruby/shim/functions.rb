# frozen_string_literal: true

module Puppet
  # Functions of the present kind: ``Puppet::Functions.create_function(:name) { dispatch … }``.
  module Functions
    # One signature: its parameters in order, the block, what is handed over besides.
    Signature = Struct.new(:method_name, :parameters, :block, :returns, :injected, :mismatch)

    # What every function of the present kind has.
    class Function
      attr_reader :loader

      # Chooses the signature for the arguments; functions with a method "call" of their own ask it.
      Dispatcher = Struct.new(:path) do
        def dispatch(_instance, scope, arguments, &block)
          Bunraku.dispatch(scope&.bunraku_id, path, arguments, block)
        end
      end

      class << self
        attr_accessor :function_name, :signatures, :local_type_texts, :dispatcher

        def dispatch(method_name, &block)
          self.signatures ||= []
          builder = self < InternalFunction ? InternalDispatchBuilder : DispatchBuilder
          signatures << builder.new(method_name.to_sym).build(block)
        end

        def local_types(&block)
          raise ArgumentError, 'local_types needs a block' unless block

          self.local_type_texts ||= []
          LocalTypeBuilder.new(local_type_texts).instance_eval(&block)
        end

        def argument_mismatch(method_name, &block)
          signature = DispatchBuilder.new(method_name.to_sym).build(block)
          signature.mismatch = true
          (self.signatures ||= []) << signature
        end
      end

      def initialize(closure_scope = nil, loader = nil)
        @closure_scope = closure_scope
        @loader = loader
      end

      def closure_scope
        @closure_scope || Puppet::Parser::Scope.current&.bunraku_ask('top_scope')
      end

      def call(scope, *arguments, &block)
        self.class.dispatcher.dispatch(self, scope, arguments, &block)
      end

      # Runs the function in the top scope, as Puppet does: nil stands for it.
      def call_function(name, *arguments, &block)
        Bunraku.call_function(nil, name, arguments, block)
      end
    end

    # A function that may ask for the scope of its caller.
    class InternalFunction < Function; end
    # A function of 3.x's kind in the present form.
    class Function3x < InternalFunction; end

    # Reads a dispatch block.
    class DispatchBuilder
      def initialize(method_name)
        @signature = Signature.new(method_name, [], nil, nil, [], false)
      end

      def build(block)
        instance_eval(&block) if block
        @signature
      end

      def param(type, name)
        raise ArgumentError, 'a required parameter cannot come after an optional one' if (last = @signature.parameters.last) && last[2] != 'required'

        add(type, name, 'required')
      end
      alias required_param param

      def optional_param(type, name)
        add(type, name, 'optional')
      end

      def repeated_param(type, name)
        add(type, name, 'repeated')
      end
      alias optional_repeated_param repeated_param

      def required_repeated_param(type, name)
        add(type, name, 'required_repeated')
      end

      def block_param(*type_and_name)
        block('required', type_and_name)
      end
      alias required_block_param block_param

      def optional_block_param(*type_and_name)
        block('optional', type_and_name)
      end

      def return_type(type)
        @signature.returns = type.to_s
      end

      private

      def add(type, name, kind)
        unless type.is_a?(String) || type.is_a?(Puppet::Pops::Types::PAnyType)
          raise ArgumentError, "the type of a parameter must be a string, not #{type.class}"
        end
        raise ArgumentError, 'no parameter can come after a repeated one' if @signature.parameters.last&.last&.end_with?('repeated')

        @signature.parameters << [type.to_s, name.to_s, kind]
      end

      def block(kind, type_and_name)
        type, name = type_and_name.length == 1 && type_and_name[0].is_a?(Symbol) ? [nil, type_and_name[0]] : type_and_name
        @signature.block = [(type || 'Callable').to_s, (name || :block).to_s, kind]
      end
    end

    # Reads the dispatch block of a function that may ask for its caller's scope.
    class InternalDispatchBuilder < DispatchBuilder
      def scope_param
        @signature.injected << 'scope'
      end

      def script_compiler_param
        @signature.injected << 'compiler'
      end
      alias compiler_param script_compiler_param

      def cache_param
        @signature.injected << 'cache'
      end
    end

    # Collects the texts of local type aliases.
    class LocalTypeBuilder
      def initialize(texts)
        @texts = texts
      end

      def type(text)
        @texts << text.to_s
      end
    end

    class << self
      def create_function(name, base = Function, &block)
        created = Class.new(base)
        created.function_name = name.to_s
        created.class_eval(&block) if block
        Bunraku::Functions.created(created)
        created
      end

      def create_loaded_function(name, _loader, base = Function, &block)
        create_function(name, base, &block)
      end
    end
  end

  module Parser
    # What remains of the loader of functions of the old kind.
    module Functions
      # Each method has said since Puppet 4 that nothing needs it.
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
    end

    # Functions of the old kind: ``Puppet::Parser::Functions.newfunction(:name) { |args| … }``.
    module Functions
      class << self
        def newfunction(name, options = {}, &block)
          name = name.to_s.downcase.to_sym
          type = options[:type] || :statement
          raise Puppet::DevError, "a function cannot be of the type #{type.inspect}" unless %i[rvalue statement].include?(type)

          Puppet::Parser::Scope.define_method(:"real_function_#{name}", &block)
          Bunraku::Functions.created_old(name.to_s, type.to_s, options[:arity])
        end

        # What the method of a function is called; false where there is no such function.
        def function(name, scope = nil)
          scope = Puppet::Parser::Scope.current unless scope.is_a?(Puppet::Parser::Scope)
          return false if scope.nil?

          Bunraku.known("function #{name}") { scope.bunraku_ask('is_function', name.to_s) } ? "function_#{name}" : false
        end

        def rvalue?(name)
          function(name) && true
        end

        # Functions are loaded when they are called.
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

module Puppet
  module Pops
    module Evaluator
      # A lambda of Puppet code: an ordinary block that says how many arguments it takes.
      class PuppetProc < Proc
        attr_reader :arity, :parameters

        def about(low, high, names)
          @arity = low == high ? low : -low - 1
          @parameters = names.each_with_index.map do |name, at|
            [at < low ? :req : (high.nil? && at == names.length - 1 ? :rest : :opt), name.to_sym]
          end
          self
        end
      end
    end
  end
end

module Bunraku
  # Functions of modules by the path of their file.
  module Functions
    Loaded = Struct.new(:created, :instance, :old)
    @by_path = {}

    class << self
      def load(path, text, name, libraries, methods_refused)
        Loading.libraries = libraries
        @last = @last_old = nil
        refuse_methods(path, text) if methods_refused && path.include?('/lib/puppet/parser/functions/')
        Loading.evaluate(path, text)
        return old(path, name) if path.include?('/lib/puppet/parser/functions/')

        present(path, name)
      end

      # Since version 4 Puppet refuses files of the old kind that define methods.
      def refuse_methods(path, text)
        return unless text.match?(/\bdef\b/)

        require 'ripper'
        name, line = defined_method(Ripper.sexp(text))
        return unless name

        raise Puppet::Error, "it defines the method '#{name}', which Puppet refuses in a function of the old kind; use " \
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

      def created(function)
        @last = function
      end

      def created_old(name, type, arity)
        (@last_old ||= {})[name] = [name, type, arity]
      end

      def old(path, name)
        found = @last_old && @last_old[name]
        raise Puppet::Error, "the file defines no function '#{name}'" unless found

        @by_path[path] = Loaded.new(nil, nil, found)
        { 'kind' => found[1], 'arity' => found[2] }
      end

      def present(path, name)
        raise Puppet::Error, "the file creates no function '#{name}'" unless @last
        raise Puppet::Error, "the file creates the function '#{@last.function_name}', not '#{name}'" unless @last.function_name.downcase == name

        @by_path[path] = Loaded.new(@last, @last.new(nil, nil), nil)
        signatures = @last.signatures || [implicit(@last, name)]
        @last.dispatcher = Puppet::Functions::Function::Dispatcher.new(path)
        { 'types' => @last.local_type_texts || [], 'signatures' => signatures.map { |item| data_of(item) },
          'own_call' => @last.instance_method(:call).owner != Puppet::Functions::Function }
      end

      # Without a dispatch the method of the function's own name takes anything.
      def implicit(function, name)
        method_name = name.split('::').last.to_sym
        raise Puppet::Error, "the function has neither a dispatch nor a method '#{method_name}'" unless function.method_defined?(method_name)

        kinds = { req: 'required', opt: 'optional', rest: 'repeated' }
        parameters = function.instance_method(method_name).parameters
        block = parameters.any? { |kind, _| kind == :block } ? ['Callable', 'block', 'optional'] : nil
        listed = parameters.select { |kind, _| kinds.key?(kind) }.map { |kind, title| ['Any', (title || 'args').to_s, kinds[kind]] }
        Puppet::Functions::Signature.new(method_name, listed, block, nil, [], false)
      end

      def data_of(signature)
        signature.to_h.transform_keys(&:to_s).merge('method_name' => signature.method_name.to_s)
      end

      def call(frame)
        found = @by_path.fetch(frame['path'])
        scope = Puppet::Parser::Scope.new(frame['scope'])
        arguments = frame['args'].map { |item| Bunraku.decode(item) }
        return scope.public_send(:"real_function_#{found.old[0]}", arguments) if found.old

        call_present(found, frame, scope, arguments)
      end

      def call_present(found, frame, scope, arguments)
        injected = frame['injected'].map { |what| injection(what, scope) }
        found.instance.send(frame['method'].to_sym, *injected, *arguments, &block_of(frame['block']))
      end

      def injection(what, scope)
        case what
        when 'scope' then scope
        when 'compiler' then scope.compiler
        when 'cache' then (@cache ||= Hash.new { |all, key| all[key] = {} })
        end
      end

      def block_of(data)
        return nil if data.nil?

        ask = Puppet::Pops::Evaluator::PuppetProc.new { |*arguments| Bunraku.ask('block', data['id'], arguments.map { |item| Bunraku.encode(item) }) }
        ask.about(data['low'], data['high'], data['names'])
      end
    end
  end

  on('load') { |frame| Functions.load(frame['path'], decode(frame['text']), frame['name'], frame['libraries'], !frame['old']) }
  on('call') { |frame| Functions.call(frame) }
end
