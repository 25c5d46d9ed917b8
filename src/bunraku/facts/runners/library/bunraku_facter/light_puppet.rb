# frozen_string_literal: true

# What most facts ask an installed Puppet for, without loading it, which takes a second: the default providers of
# packages and services where they are certain, and settings whose defaults all versions share. Whatever else a fact
# names loads the installed Puppet, which then takes the place of this one.
require_relative 'puppet_stand_in'

module Puppet
  # The settings of the user's run mode; those that are not certain come from the installed Puppet.
  class LightSettings
    DIRECTORIES = { 'confdir' => 'conf', 'codedir' => 'code', 'vardir' => 'var', 'rundir' => 'run', 'logdir' => 'log' }.freeze
    OTHERS = {
      'classfile' => '$statedir/classes.txt', 'config' => '$confdir/puppet.conf', 'environment' => 'production',
      'environmentpath' => '$codedir/environments', 'libdir' => '$vardir/lib', 'server' => 'puppet', 'statedir' => '$vardir/state'
    }.freeze
    TEXTS = %w[environment server].freeze
    DIRECTORY = /def (\w+)_dir\s+which_dir\(\s*["']([^"'#]+)["'],\s*["']([^"'#]+)["']/.freeze
    REFERENCE = /\$(?:\{(\w+)\}|(\w+))/.freeze
    SETTING = /\A\s*(\w+)\s*=\s*(.*?)\s*\z/.freeze
    SECTION = /\A\s*\[(\w+)\]\s*\z/.freeze

    # The library is the directory of the installed Puppet's code.
    def initialize(library)
      @library = library
    end

    def [](name)
      certain(name.to_s) || PuppetOfFacts.promote.settings[name]
    end

    def method_missing(name, ...)
      PuppetOfFacts.promote.settings.public_send(name, ...)
    end

    def respond_to_missing?(name, private = false)
      PuppetOfFacts.promote.settings.respond_to?(name, private)
    end

    private

    # The value, nil for one that is not certain, as one with an owner in the file.
    def certain(name)
      return unless directories.key?(name) || OTHERS.key?(name)

      raw = configured(name) || directories[name] || OTHERS[name]
      value = raw.gsub(REFERENCE, '').match?(/[{}#]/) ? nil : resolved(raw)
      return value if value.nil? || TEXTS.include?(name)

      value.include?(':') ? nil : File.expand_path(value)
    end

    def resolved(raw)
      raw.gsub(REFERENCE) { certain(Regexp.last_match(1) || Regexp.last_match(2)) || (return nil) }
    end

    def directories
      @directories ||= begin
        found = File.read("#{@library}/puppet/util/run_mode.rb").scan(DIRECTORY)
        places = found.reverse.to_h { |name, system, user| [name, Process.euid.zero? ? system : user] }
        DIRECTORIES.transform_values { |name| places[name] }.compact
      end
    end

    def configured(name)
      file.fetch('user', {})[name] || file.fetch('main', {})[name]
    end

    def file
      @file ||= read("#{directories['confdir']}/puppet.conf")
    end

    def read(path)
      section = 'main'
      path = File.expand_path(path)
      lines = File.file?(path) ? File.readlines(path, encoding: 'UTF-8') : []
      lines.each_with_object(Hash.new { |all, key| all[key] = {} }) do |line, found|
        if (match = SECTION.match(line))
          section = match[1]
        elsif (match = SETTING.match(line))
          found[section][match[1]] = match[2]
        end
      end
    end
  end

  class << self
    undef_method :version, :debug, :info, :notice, :warning, :err, :initialize_settings

    %i[debug info notice warning err initialize_settings].each { |name| define_method(name) { |*| nil } }

    def light_settings(library)
      @settings = LightSettings.new(library)
    end

    def const_missing(name)
      PuppetOfFacts.promote.const_get(name)
    end

    def method_missing(name, ...)
      PuppetOfFacts.promote.public_send(name, ...)
    end

    def respond_to_missing?(name, private = false)
      PuppetOfFacts.promote.respond_to?(name, private)
    end
  end

  # Helpers of Puppet; most are those of the installed one.
  module Util
    remove_const :Execution
    remove_const :Package
    remove_const :Platform

    class << self
      undef_method :which, :withenv

      def const_missing(name)
        PuppetOfFacts.promote.const_get(:Util).const_get(name)
      end

      def method_missing(name, ...)
        PuppetOfFacts.promote.const_get(:Util).public_send(name, ...)
      end

      def respond_to_missing?(name, private = false)
        PuppetOfFacts.promote.const_get(:Util).respond_to?(name, private)
      end
    end
  end

  # The types of packages and services, as far as their default providers are certain.
  class Type
    NEEDED = {
      apt: %w[/usr/bin/apt-get /usr/bin/apt-cache /usr/bin/apt-mark /usr/bin/debconf-set-selections],
      debian: %w[/usr/sbin/update-rc.d /usr/sbin/invoke-rc.d /usr/sbin/service],
      systemd: %w[/bin/systemctl]
    }.freeze
    SYSTEMS = %w[debian ubuntu].freeze
    UPSTART = '/sbin/initctl'
    class << self
      def type(name)
        kind = name.to_s.downcase.to_sym
        provider = certain_provider(kind)
        provider ? new(kind, provider) : PuppetOfFacts.promote.const_get(:Type).type(name)
      end

      def const_missing(name)
        PuppetOfFacts.promote.const_get(:Type).const_get(name)
      end

      def method_missing(name, ...)
        PuppetOfFacts.promote.const_get(:Type).public_send(name, ...)
      end

      def respond_to_missing?(name, private = false)
        PuppetOfFacts.promote.const_get(:Type).respond_to?(name, private)
      end

      private

      # Debian's families of systems have one suitable default provider each, if its programs are installed.
      def certain_provider(kind)
        return unless SYSTEMS.include?(Facter.value('os.name').to_s.downcase)

        name = { package: :apt, service: systemd? ? :systemd : :debian }[kind]
        name if name && NEEDED[name].all? { |path| File.executable?(path) } && !File.exist?(UPSTART)
      end

      def systemd?
        File.file?('/proc/1/comm') && File.read('/proc/1/comm').include?('systemd')
      end
    end

    def initialize(name, provider)
      @name = name
      @provider = provider
    end

    def new(attributes)
      LightResource.new(self, attributes)
    end
    alias newpackage new
    alias newservice new

    def defaultprovider
      LightProvider.new(self)
    end

    def provider_name
      @provider
    end

    # The type of the installed Puppet.
    def real
      PuppetOfFacts.promote.const_get(:Type).type(name)
    end

    def method_missing(called, ...)
      real.public_send(called, ...)
    end

    def respond_to_missing?(called, private = false)
      real.respond_to?(called, private)
    end

    # A resource, whose provider is the default one.
    class LightResource < BasicObject
      def initialize(type, attributes)
        @type = type
        @attributes = attributes
      end

      def [](attribute)
        attribute.to_sym == :provider ? @type.provider_name : real[attribute]
      end

      def method_missing(name, ...)
        real.public_send(name, ...)
      end

      def respond_to_missing?(name, private = false)
        real.respond_to?(name, private)
      end

      private

      def real
        @real ||= @type.real.new(@attributes)
      end
    end

    # A default provider, whose name is known.
    class LightProvider < BasicObject
      def initialize(type)
        @type = type
      end

      def name
        @type.provider_name
      end

      def method_missing(name, ...)
        @type.real.defaultprovider.public_send(name, ...)
      end

      def respond_to_missing?(name, private = false)
        @type.real.defaultprovider.respond_to?(name, private)
      end
    end
  end
end
