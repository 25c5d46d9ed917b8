# frozen_string_literal: true

module Puppet
  # The settings of the compile, by name.
  class Settings
    class SettingsError < Puppet::Error; end
    class ValidationError < SettingsError; end
    autoload(:EnvironmentConf, "#{__dir__}/environment_conf.rb")

    def [](name)
      Puppet[name]
    end

    def value(name, *)
      Puppet[name]
    end

    def []=(name, _value)
      raise SettingsError, "the setting '#{name}' cannot be changed while a catalog is compiled"
    end

    def valid?(name)
      !Puppet[name].nil?
    end
    alias include? valid?

    def use(*)
      nil
    end

    def set_by_config?(*) # rubocop:disable Naming/PredicateName
      false
    end
    alias set_by_cli? set_by_config?

    def app_defaults_initialized?
      true
    end
    alias global_defaults_initialized? app_defaults_initialized?

    def initialize_global_settings(*)
      nil
    end

    OF_COMPILE = new
  end
end
