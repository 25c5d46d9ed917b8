# frozen_string_literal: true

# Puppet for facts that use it: the installed one, loaded when a fact first names it, with its settings read,
# as an agent has before it loads facts. Without one, a stand-in has what most facts use.
module PuppetOfFacts
  FEATURE = %r{\Apuppet(?:/|\z)}.freeze
  STAND_IN = "#{__dir__}/library/bunraku_facter/puppet_stand_in.rb"
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
      !PuppetOfFacts.installed && PARTS.include?(name) ? false : super
    end
  end

  @loaded = false

  class << self
    attr_reader :installed

    def prepare(settings)
      @settings = settings
      @installed = library? || gem?
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
      @installed ? load_installed : load_stand_in
    end

    private

    def library?
      $LOAD_PATH.any? { |directory| File.file?("#{directory}/puppet.rb") }
    end

    def gem?
      defined?(Gem) && %w[puppet openvox].any? { |name| Gem::Specification.find_all_by_name(name).any? }
    end

    # The directory of an agent's plugins, which Puppet adds, is not one of this run.
    def load_installed
      directories = Facter.search_path
      require 'puppet'
      Puppet.initialize_settings
    ensure
      Facter::Loader.directories = directories
    end

    def load_stand_in
      Kernel.load(STAND_IN)
      Puppet.settings.values = @settings
    end
  end
end
