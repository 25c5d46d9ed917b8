# frozen_string_literal: true

module Facter
  # The custom and external facts that are defined.
  class Collection
    attr_reader :loader

    def initialize(external)
      @facts = {}
      @external = external
      @loader = Loader.new(self)
    end

    # A fact that a file adds lets `load_files` try again.
    def add(name, options = {}, &block)
      @complete = false if options[:fact_type] == :custom
      find_or_make(name, options).tap { |fact| fact.add(options, &block) }
    end

    def define_fact(name, options = {}, &block)
      find_or_make(name, options).tap { |fact| fact.instance_eval(&block) if block }
    end

    # A fact whose file is loaded already.
    def defined(name)
      @facts[name.to_s.downcase]
    end

    # Load the file of a fact's name, and the external facts.
    def load(name)
      @loader.load(name)
      load_external
    end

    # Load the files that are not loaded yet. A file that asks for facts while the first one is loaded has
    # only those of the files until then.
    def load_files
      return if @complete

      @complete = true
      @loader.load_all unless @started
      @started = true
      load_external
    end

    def load_all
      @loader.load_all
      load_external
    end

    def flush
      @facts.each_value(&:flush)
    end

    def each(&block)
      @facts.to_a.each(&block)
    end

    private

    def find_or_make(name, options)
      name = name.to_s.downcase
      fact = @facts[name]
      fact ? fact.extract_ldapname_option!(options) : fact = @facts[name] = Util::Fact.new(name, options)
      fact
    end

    def load_external
      return if @external_loaded

      @external_loaded = true
      @external.each do |name, value|
        add(name, value: value, fact_type: :external) { has_weight(Loader::EXTERNAL_WEIGHT) }
      end
    end
  end
end
