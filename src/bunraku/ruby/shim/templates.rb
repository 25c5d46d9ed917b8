# frozen_string_literal: true

require 'erb'

module Puppet
  module Parser
    # What the code of an ERB template sees as self.
    class TemplateWrapper
      Puppet::Util::Log.levels.each do |level|
        define_method(level) { |*messages, &block| Puppet.public_send(level, *messages, &block) }
      end

      def initialize(scope, file = nil, variables = nil)
        @__scope__ = scope
        @__file__ = file if file
        (variables || {}).each { |name, value| instance_variable_set(:"@#{name}", value) }
      end

      def file
        @__file__
      end

      # The template of a module, or the path of a file.
      def file=(name)
        @__file__ = Puppet::Parser::Files.find_template(name, scope.environment) or
          raise Puppet::ParseError, "Could not find template '#{name}'"
      end

      # The text of the template, or of the one that is given.
      def result(text = nil)
        scope.to_hash.each { |name, value| instance_variable_set(:"@#{name}", value) if name.match?(/\A\w+\z/) }
        text ||= File.read(file, encoding: 'bom|utf-8')
        public_send(Bunraku::Templates.method_of(file, text))
      end

      def scope
        @__scope__
      end

      def has_variable?(name) # rubocop:disable Naming/PredicateName
        @__scope__.include?(name.to_s)
      end

      def classes
        @__scope__.catalog.classes
      end

      def all_tags
        @__scope__.catalog.tags
      end

      def tags
        raise NotImplementedError, "templates have 'all_tags', no 'tags'"
      end

      def to_s
        "template[#{@__file__ || 'inline'}]"
      end

      def inspect
        "#<Puppet::Parser::TemplateWrapper #{self}>"
      end

      # Run code that no method may hold: its constants belong to this class.
      def bunraku_evaluate(bunraku_source, bunraku_file)
        eval(bunraku_source, binding, bunraku_file, 0) # rubocop:disable Security/Eval
      end
    end
  end
end

module Puppet
  module Parser
    # The same in Puppet 3: variables by bare names, and the tags of the code around.
    module OldTemplate
      def tags
        @__scope__.resource&.tags.to_a
      end

      def respond_to_missing?(name, include_private = false)
        @__scope__.include?(name.to_s) || super
      end

      def method_missing(name, *_arguments)
        text = name.to_s
        unless @__scope__.include?(text)
          failure = Puppet::ParseError.new("There is no variable '#{text}'")
          raise failure
        end
        Puppet.deprecation_warning("A variable in a template is written @#{text}, not #{text}", text)
        @__scope__[text]
      end
    end
  end
end

module Bunraku
  # Templates made methods, by file and text.
  module Templates
    LIMIT = 1000
    @methods = {}
    @count = 0
    OWN = /\A__bunraku_\d/.freeze
    private_constant :OWN

    class << self
      # From now on another compile: methods that templates defined are gone.
      def forget_definitions
        place = Puppet::Parser::TemplateWrapper
        (place.instance_methods(false) + place.private_instance_methods(false) - @first).each do |name|
          place.remove_method(name) unless OWN.match?(name)
        end
      end

      def render(scope, file, text, variables, old)
        wrapper = Puppet::Parser::TemplateWrapper.new(scope, file, variables)
        wrapper.extend(Puppet::Parser::OldTemplate) if old
        result = wrapper.public_send(method_of(file, text))
        # Code that hides the end of its line in a comment makes its own last value the result.
        result.is_a?(String) ? result : [result].join
      end

      # The method that renders a text. Code that no method may hold (it defines constants) is
      # evaluated each time.
      def method_of(file, text)
        @methods[[file, text]] ||= begin
          forget if @methods.size >= LIMIT
          Loading.note_globals(text)
          define(file || '(erb)', ERB.new(text, trim_mode: '-').src)
        end
      end

      def define(file, source)
        name = :"__bunraku_#{@count += 1}"
        head = "def #{name}; template_source = result = nil;"
        begin
          wrapped(head, source, file)
        rescue SyntaxError
          Puppet::Parser::TemplateWrapper.define_method(name) { bunraku_evaluate(source, file) }
        end
        name
      end

      # ERB's first line is a magic comment, so the template's own line 1 is its second.
      def wrapped(head, source, file)
        magic, body = source.split("\n", 2)
        Puppet::Parser::TemplateWrapper.class_eval("#{magic}\n#{head}#{body}\nend", file, 0)
      end

      def forget
        @methods.each_value { |name| Puppet::Parser::TemplateWrapper.remove_method(name) }
        @methods.clear
      end
    end
  end

  Templates.instance_variable_set(:@first, Puppet::Parser::TemplateWrapper.instance_methods(false) + Puppet::Parser::TemplateWrapper.private_instance_methods(false))

  on('render') do |frame|
    variables = frame['variables'].transform_values { |value| decode(value) }
    scope = Puppet::Parser::Scope.bunraku_running(frame)
    variables['facts'] = KeyedFacts.new if frame['keyed_facts']
    Templates.render(scope, frame['file'], decode(frame['text']), variables, frame['old'])
  end
end
