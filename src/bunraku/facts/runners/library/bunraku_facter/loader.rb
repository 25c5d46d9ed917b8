# frozen_string_literal: true

module Facter
  # Finds and loads the files of custom facts.
  class Loader
    EXTERNAL_WEIGHT = 10_000
    VARIABLE_WEIGHT = 1_000_000

    @directories = []
    @dropped = []

    class << self
      # The directories beside those in `$LOAD_PATH` and FACTERLIB, and the files that are not loaded.
      attr_accessor :directories, :dropped
    end

    def initialize(collection)
      @collection = collection
      @loaded = []
    end

    # Load the files with the name of a fact.
    def load(name)
      name = name.to_s.downcase
      load_variables(name)
      search_path.each do |directory|
        path = File.join(directory, "#{name}.rb")
        load_file(path) if File.file?(path)
      end
    end

    def load_all
      return if @loaded_all

      load_variables
      search_path.each do |directory|
        Dir.glob(File.join(directory, '*.rb')).sort.each { |path| load_file(path) if File.file?(path) }
      end
      @loaded_all = true
    end

    def search_path
      paths = $LOAD_PATH.map { |path| File.expand_path('facter', path) }.reject { |path| installed?(path) }
      paths += ENV.fetch('FACTERLIB', '').split(File::PATH_SEPARATOR) + Loader.directories
      paths.map { |path| path.gsub(%r{/+}, '/') }.select { |path| File.directory?(path) }.uniq
    end

    private

    # Whether a directory has the code of Facter instead of facts.
    def installed?(path)
      File.file?("#{path}/version.rb")
    end

    # Load a file once. One that fails is reported; the facts that it defined before are used.
    def load_file(path)
      return if @loaded.include?(path) || Loader.dropped.include?(path)

      @loaded.push(path)
      Progress.within(nil, path) do
        Kernel.load(path)
      rescue StandardError, ScriptError, SystemStackError, SystemExit => e
        Progress.message(Progress.text_of(e), e, failed: true)
      end
    end

    # Variables such as FACTER_role are external facts.
    def load_variables(only = nil)
      ENV.each do |variable, value|
        name = variable[/\Afacter_?(\w+)\z/i, 1]&.downcase
        next if name.nil? || (only && name != only)

        @collection.add(name, fact_type: :external, is_env: true) do
          has_weight(VARIABLE_WEIGHT)
          setcode { value }
        end
      end
    end
  end
end
