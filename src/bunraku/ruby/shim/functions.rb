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
        attr_accessor :bunraku_function_name, :bunraku_signatures, :bunraku_local_type_texts, :bunraku_dispatcher

        def dispatcher
          bunraku_dispatcher
        end

        # The name of the function; that of the classes which functions are derived from is Ruby's.
        def name
          bunraku_function_name || super
        end

        def dispatch(method_name, &block)
          self.bunraku_signatures ||= []
          builder = self < InternalFunction ? InternalDispatchBuilder : DispatchBuilder
          bunraku_signatures << builder.new(method_name.to_sym).bunraku_build(block)
        end

        def local_types(&block)
          raise ArgumentError, 'local_types needs a block' unless block

          self.bunraku_local_type_texts ||= []
          LocalTypeBuilder.new(bunraku_local_type_texts).instance_eval(&block)
        end

        def argument_mismatch(method_name, &block)
          signature = DispatchBuilder.new(method_name.to_sym).bunraku_build(block)
          signature.mismatch = true
          (self.bunraku_signatures ||= []) << signature
        end
      end

      def initialize(closure_scope = nil, loader = nil)
        @closure_scope = closure_scope
        @loader = loader
      end

      def closure_scope
        @closure_scope || Puppet::Parser::Scope.bunraku_current&.bunraku_ask('top_scope')
      end

      def call(scope, *arguments, &block)
        self.class.bunraku_dispatcher.dispatch(self, scope, arguments, &block)
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

      def bunraku_build(block)
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
        created.bunraku_function_name = name.to_s
        created.class_eval(&block) if block
        created
      end

      def create_loaded_function(name, _loader, base = Function, &block)
        create_function(name, base, &block)
      end
    end
  end
end

module Puppet
  module Pops
    module Evaluator
      # next() and return() of Puppet code.
      class Jumper < Exception # rubocop:disable Lint/InheritException
        attr_reader :value, :file, :line

        def initialize(value, file, line) # rubocop:disable Lint/MissingSuper
          @value = value
          @file = file
          @line = line
        end
      end

      class Next < Jumper
      end

      class Return < Jumper
      end

      # break() of Puppet code.
      class PuppetStopIteration < StopIteration
        attr_reader :file, :line, :pos

        def initialize(file, line, pos = nil) # rubocop:disable Lint/MissingSuper
          @file = file
          @line = line
          @pos = pos
        end

        def message
          'break() from context where this is illegal'
        end
      end

      # A lambda of Puppet code: an ordinary block that says how many arguments it takes.
      class PuppetProc < Proc
        attr_reader :arity, :parameters

        def bunraku_about(low, high, names)
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
    # The class of a function and its object are those of the compile that runs.
    Loaded = Struct.new(:path, :text, :name, :created, :instance)
    @by_path = {}

    class << self
      # From now on another compile, which runs the files again, as Puppet does.
      def forget
        @by_path.each_value { |loaded| loaded.created = loaded.instance = nil }
      end

      def load(path, text, name)
        # Puppet looks for this text before it runs the file.
        raise ArgumentError, 'the file does not contain Puppet::Functions.create_function' unless text.include?('Puppet::Functions.create_function')

        created = run(path, text, name)
        @by_path[path] = Loaded.new(path, text, name, created)
        signatures = created.bunraku_signatures || [implicit(created, name)]
        { 'types' => created.bunraku_local_type_texts || [], 'signatures' => signatures.map { |item| data_of(item) },
          'own_call' => created.instance_method(:call).owner != Puppet::Functions::Function }
      end

      # Run a file; the class of its function.
      def run(path, text, name)
        created = Loading.evaluate(Puppet::Pops::Loader::RubyFunctionInstantiator, path, text)
        raise ArgumentError, "the file ends with #{kind_of(created)}, not with a function that Puppet::Functions.create_function made" unless function?(created)
        raise ArgumentError, "The code loaded from #{path} produced mis-matched name, expected '#{name}', got #{created.bunraku_function_name}" unless created.bunraku_function_name == name

        created.bunraku_dispatcher = Puppet::Functions::Function::Dispatcher.new(path)
        created
      end

      # The object of a function in this compile.
      def instance(path)
        found = @by_path.fetch(path)
        found.instance ||= (found.created ||= run(path, found.text, found.name)).new(nil, nil)
      end

      def function?(created)
        created.is_a?(Class) && created <= Puppet::Functions::Function
      end

      def kind_of(value)
        value.nil? ? 'nil' : "a value of class #{value.class}"
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
        scope = Puppet::Parser::Scope.bunraku_running(frame)
        arguments = frame['args'].map { |item| Bunraku.decode(item) }
        injected = frame['injected'].map { |what| injection(what, scope) }
        instance(frame['path']).send(frame['method'].to_sym, *injected, *arguments, &block_of(frame['block']))
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

        high = data['high']
        ask = Puppet::Pops::Evaluator::PuppetProc.new do |*arguments|
          arguments = arguments.first(high) if high # as a block, not as a lambda of Ruby
          Bunraku.ask('block', data['id'], arguments.map { |item| Bunraku.encode(item) })
        end
        ask.bunraku_about(data['low'], data['high'], data['names'])
      end
    end
  end

  on('load') do |frame|
    Loading.libraries = frame['libraries']
    Functions.load(frame['path'], decode(frame['text']), frame['name'])
  end
  on('call') { |frame| Functions.call(frame) }
end
