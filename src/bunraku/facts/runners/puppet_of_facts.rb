# frozen_string_literal: true

# Puppet for facts that use it: the installed one, with its settings read, as an agent has before it loads facts.
# What most facts use is answered without loading it. Without an installed Puppet, a stand-in answers.
module PuppetOfFacts
  FEATURE = %r{\Apuppet(?:/|\z)}.freeze
  FILES = "#{__dir__}/library/bunraku_facter"
  PROVIDERS = '/puppet/{type/{package,service}.rb,provider/{package,service}/*.rb}'
  PARTS = %w[
    puppet puppet/settings puppet/type puppet/type/package puppet/type/service puppet/util puppet/util/execution
    puppet/util/package puppet/util/platform puppet/version
  ].freeze

  # Loads Puppet itself before a part of it, which may not work alone.
  module Loading
    private

    def require(feature)
      name = feature.to_s.delete_suffix('.rb')
      return super unless FEATURE.match?(name)

      PuppetOfFacts.load
      return super if PuppetOfFacts.whole?
      return false if PARTS.include?(name)

      PuppetOfFacts.promote if PuppetOfFacts.installed?
      super
    end
  end

  @loaded = false

  class << self
    def prepare(settings)
      @settings = settings
      @library = library || gem_library
      Object.autoload(:Puppet, "#{__dir__}/autoloaded_puppet.rb")
      Object.prepend(Loading)
    end

    def load
      return if @loaded

      Object.send(:remove_const, :Puppet) if Object.autoload?(:Puppet)
      load_once
    end

    # Load Puppet, also while the constant is autoloaded.
    def load_once
      return if @loaded

      @loaded = true
      return load_stand_in unless @library

      modules_have_providers? ? load_installed : load_light
    end

    def installed?
      !@library.nil?
    end

    # Whether the installed Puppet is loaded.
    def whole?
      @whole || false
    end

    # Return the installed Puppet, which replaces what stands for it.
    def promote
      return Object.const_get(:Puppet) if @whole

      Object.send(:remove_const, :Puppet)
      load_installed
      Object.const_get(:Puppet)
    end

    private

    # The directory of the installed Puppet's code, nil without one.
    def library
      $LOAD_PATH.find { |directory| File.file?("#{directory}/puppet.rb") }
    end

    def gem_library
      return unless defined?(Gem)

      found = %w[puppet openvox].flat_map { |name| Gem::Specification.find_all_by_name(name) }
      "#{found.first.full_gem_path}/lib" unless found.empty?
    end

    # Whether packages and services may have other default providers than those of Puppet itself.
    def modules_have_providers?
      REQUEST['libraries'].any? { |directory| !Dir.glob("#{directory}#{PROVIDERS}").empty? }
    end

    def load_light
      Kernel.load("#{FILES}/light_puppet.rb")
      Puppet.light_settings(@library)
    end

    # The directory of an agent's plugins, which Puppet adds, is not one of this run.
    def load_installed
      @whole = true
      directories = Facter.search_path
      require 'puppet'
      Puppet.initialize_settings
    ensure
      Facter::Loader.directories = directories
    end

    def load_stand_in
      Kernel.load("#{FILES}/puppet_stand_in.rb")
      Puppet.settings.values = @settings
    end
  end
end
