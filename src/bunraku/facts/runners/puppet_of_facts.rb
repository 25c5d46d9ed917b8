# frozen_string_literal: true

# Puppet for facts that use it: the installed one, loaded when a fact first names it, with its settings
# read, as an agent has before it loads facts. Without one, `require 'puppet'` fails as usual.
module PuppetOfFacts
  FEATURE = %r{\Apuppet(?:/|\z)}.freeze

  # Loads Puppet itself before a part of it, which may not work alone.
  module Loading
    def require(feature)
      PuppetOfFacts.load if FEATURE.match?(feature.to_s)
      super
    end
  end

  @loaded = false

  class << self
    def prepare
      return unless installed?

      Object.autoload(:Puppet, "#{__dir__}/autoloaded_puppet.rb")
      Object.prepend(Loading)
    end

    # Whether a library or a gem has Puppet.
    def installed?
      return true if $LOAD_PATH.any? { |directory| File.file?("#{directory}/puppet.rb") }

      defined?(Gem) && %w[puppet openvox].any? { |name| Gem::Specification.find_all_by_name(name).any? }
    end

    def load
      return if @loaded

      @loaded = true
      Object.send(:remove_const, :Puppet) if Object.autoload?(:Puppet)
      read
    end

    # Load Puppet while the constant is autoloaded.
    def autoloaded
      return if @loaded

      @loaded = true
      read
    end

    private

    # The directory of an agent's plugins, which Puppet adds, is not one of this run.
    def read
      directories = Facter.search_path
      require 'puppet'
      Puppet.initialize_settings
    ensure
      Facter::Loader.directories = directories
    end
  end
end
