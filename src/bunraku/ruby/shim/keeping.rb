# frozen_string_literal: true

module Bunraku
  # What files of modules keep in classes, constants and global variables, where Python knows it: each compile begins with
  # what these were when the file was loaded.
  module Kept
    @first = {}

    class << self
      # From now on another compile.
      def forget
        @first.each_key { |entry| reset(*entry) }
      end

      # From now on the entries are set back, and now if the compile has not run that code.
      def add(entries, now)
        entries.each do |kind, owner, name, text|
          entry = [kind, owner, name]
          @first[entry] = text if text || !@first.key?(entry)
          reset(*entry) if now
        end
      end

      private

      def reset(kind, owner, name)
        text = @first[[kind, owner, name]]
        return TOPLEVEL_BINDING.eval("#{name} = #{text || 'nil'}") if kind == 'global'
        return unless owner.empty? || Object.const_defined?(owner)

        place = owner.empty? ? Object : Object.const_get(owner)
        __send__("reset_#{kind}", place, name.to_sym, text)
      end

      def reset_constant(place, name, text)
        first = value(text)
        return unless place.const_defined?(name, false)
        return if Marshal.dump(place.const_get(name, false)) == Marshal.dump(first)

        place.__send__(:remove_const, name)
        place.const_set(name, first)
      end

      def reset_class(place, name, text)
        return place.class_variable_set(name, value(text)) if text

        place.remove_class_variable(name) if place.class_variables(false).include?(name)
      end

      def reset_instance(place, name, text)
        return place.instance_variable_set(name, value(text)) if text

        place.remove_instance_variable(name) if place.instance_variable_defined?(name)
      end

      # Of the code of a literal.
      def value(text)
        TOPLEVEL_BINDING.dup.eval(text)
      end
    end
  end

  # Files that Ruby code asks for or reads: while a compile is recorded, Python is told before.
  module Reads
    QUESTIONS = { exist?: 'exists', exists?: 'exists', file?: 'file', directory?: 'directory', readable?: 'read', zero?: 'read',
                  empty?: 'read', size: 'read', size?: 'read' }.freeze

    class << self
      attr_accessor :recorded

      def note(kind, path)
        return unless recorded && Thread.current == Thread.main && of_modules?

        path = path.to_path if path.respond_to?(:to_path)
        return if !path.is_a?(String) || path.include?("\0")

        path = File.expand_path(path)
        Bunraku.ask('reads', kind, path) unless OWN.any? { |folder| path.start_with?(folder) }
      end

      # Whether code asks that is neither this program's nor that of RubyGems, which looks for installed libraries.
      def of_modules?
        path = caller_locations(2, 5).map(&:path).find { |one| one != __FILE__ }.to_s
        !path.start_with?(SHIM) && !path.include?('/rubygems/')
      end

      # Python lists the paths of one pattern in the same order.
      def note_list(pattern, is_plain)
        is_plain && pattern.is_a?(String) && pattern.start_with?('/') ? note('glob', pattern) : note('writes', '/')
      end

      def note_open(path, mode)
        mode = mode.to_s[/\A[^:]*/]
        note(mode.match?(/\A(?:r?[bt]?|0?)\z/) ? 'read' : 'writes', path)
      end
    end

    # Methods of File and Dir that tell whether a file is there.
    module Questions
      QUESTIONS.each do |name, kind|
        next unless File.respond_to?(name)

        define_method(name) do |path|
          Reads.note(kind, path)
          super(path)
        end
      end
    end

    # Methods of IO, and so of File, that read a whole file.
    module Whole
      %i[read binread readlines foreach].each do |name|
        define_method(name) do |path, *rest, **options, &block|
          Reads.note(path.to_s.start_with?('|') ? 'writes' : 'read', path)
          super(path, *rest, **options, &block)
        end
      end
    end

    # Files that are opened.
    module Opened
      def new(path, *rest, **options, &block)
        Reads.note_open(path, options.fetch(:mode, rest.first || 'r'))
        super
      end

      def open(path, *rest, **options, &block)
        Reads.note_open(path, options.fetch(:mode, rest.first || 'r'))
        super
      end
    end
    # Lists of files.
    module Listed
      def glob(pattern, *rest, **options, &block)
        Reads.note_list(pattern, rest.empty? && options.empty?)
        super
      end

      def [](*patterns, **options)
        Reads.note_list(patterns.first, patterns.length == 1 && options.empty?)
        super
      end
    end
    Dir.singleton_class.prepend(Questions, Listed)
    File.singleton_class.prepend(Questions, Opened)
    FileTest.singleton_class.prepend(Questions)
    IO.singleton_class.prepend(Whole)
  end
end
