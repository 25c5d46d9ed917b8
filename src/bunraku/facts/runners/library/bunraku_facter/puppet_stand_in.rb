# frozen_string_literal: true

# The part of Puppet that facts of modules use most, for machines without an installed Puppet: settings, the
# log, programs, and the default providers of packages and services.
module Puppet
  class Error < RuntimeError; end
  class ExecutionFailure < Error; end

  # The settings, by name; the values are those of bunraku.
  class Settings
    attr_writer :values

    def initialize
      @values = {}
    end

    def [](name)
      @values[name.to_s]
    end

    def value(name, *)
      self[name]
    end
    alias interpolate value

    # The values of an environment and a section; settings of sections are merged before.
    def values(*)
      self
    end

    def include?(name)
      @values.include?(name.to_s)
    end
    alias valid? include?

    def global_defaults_initialized?
      true
    end
    alias app_defaults_initialized? global_defaults_initialized?
  end

  @settings = Settings.new

  class << self
    attr_reader :settings

    def [](name)
      settings[name]
    end

    def initialize_settings(*)
      nil
    end

    def version
      Facter.value(:puppetversion)
    end

    %i[debug info notice].each do |level|
      define_method(level) { |text| Facter.debug(text) }
    end

    %i[warning err].each do |level|
      define_method(level) { |text| Facter.warn(text) }
    end

    def const_missing(name)
      raise NameError.new("Puppet::#{name} needs an installed Puppet", name)
    end

    def method_missing(name, *)
      raise NameError.new("Puppet.#{name} needs an installed Puppet", name)
    end

    def respond_to_missing?(*)
      false
    end
  end

  # Helpers of Puppet.
  module Util
    class << self
      def get_env(name, *)
        ENV[name.to_s]
      end

      def which(name)
        Facter::Core::Execution.which(name)
      end

      def withenv(values, *, &block)
        Facter::Core::Execution.with_env(values, &block)
      end

      def const_missing(name)
        raise NameError.new("Puppet::Util::#{name} needs an installed Puppet", name)
      end
    end

    # The kind of machine.
    module Platform
      def self.windows?
        Facter.value(:kernel) == 'windows'
      end
    end

    # Runs programs.
    module Execution
      # What a program wrote, with its exit status.
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, status)
          super(text)
          @exitstatus = status
        end
      end

      # Without options, a failure is an error, and both outputs are one.
      def self.execute(command, options = nil)
        chosen = options || { failonfail: true, combine: true }
        errors = chosen[:combine] ? %i[child out] : File::NULL
        command = command.is_a?(Array) ? command.flatten.map(&:to_s) : ['/bin/sh', '-c', command]
        text = IO.popen({ 'LANG' => 'C', 'LC_ALL' => 'C' }, command, err: errors, in: File::NULL, &:read)
        output = ProcessOutput.new(text, $?.exitstatus || 1)
        return output unless chosen[:failonfail] && output.exitstatus != 0

        raise ExecutionFailure, "Execution of '#{command.join(' ')}' returned #{output.exitstatus}: #{text.strip}"
      rescue SystemCallError => e
        raise ExecutionFailure, "Could not execute '#{command.join(' ')}': #{e.message}" if chosen[:failonfail]

        ProcessOutput.new(e.message, 1)
      end
    end

    # Compares versions of packages.
    module Package
      # Parts that differ decide: a hyphen is the least, then a dot; numbers count as numbers unless one begins with 0.
      def versioncmp(left, right)
        left_parts, right_parts = [left, right].map { |version| version.scan(/[-.]|\d+|[^-.\d]+/) }
        pairs = left_parts.zip(right_parts).take_while { |pair| pair.all? }
        one, other = pairs.find { |first, second| first != second }
        return left <=> right unless one

        %w[- .].each do |sign|
          return -1 if one == sign
          return 1 if other == sign
        end
        numbers = [one, other].all? { |part| part.match?(/\A(?:0|[1-9]\d*)\z/) && part != '0' }
        numbers ? one.to_i <=> other.to_i : one.upcase <=> other.upcase
      end
      module_function :versioncmp
    end
  end

  # Types of resources; packages and services have the provider that Puppet chooses for them.
  class Type
    PACKAGES = {
      'aix' => :aix, 'alpine' => :apk, 'archlinux' => :pacman, 'darwin' => :pkgdmg, 'debian' => :apt, 'freebsd' => :pkgng,
      'dragonfly' => :pkgng, 'gentoo' => :portage, 'netbsd' => :pkgin, 'openbsd' => :openbsd, 'solaris' => :pkg,
      'suse' => :zypper, 'windows' => :windows
    }.freeze
    SERVICES = {
      'aix' => :src, 'alpine' => :openrc, 'darwin' => :launchd, 'debian' => :debian, 'dragonfly' => :freebsd,
      'freebsd' => :freebsd, 'gentoo' => :openrc, 'netbsd' => :rcng, 'openbsd' => :openbsd, 'redhat' => :redhat,
      'solaris' => :smf, 'suse' => :redhat, 'windows' => :windows
    }.freeze
    DNF = 8 # the first major release of the RedHat family with dnf
    Resource = Struct.new(:name, :provider_name) do
      def [](attribute)
        { name: name, provider: provider_name }[attribute.to_sym]
      end
    end
    Provider = Struct.new(:name)

    def self.type(name)
      return new(name.to_sym) if %i[package service].include?(name.to_sym)

      raise NameError, "the type #{name} needs an installed Puppet"
    end

    attr_reader :name

    def initialize(name)
      @name = name
    end

    def new(attributes)
      Resource.new(attributes[:name] || attributes[:title], defaultprovider.name)
    end
    alias newpackage new
    alias newservice new

    def defaultprovider
      Provider.new(name == :package ? package_provider : service_provider)
    end

    private

    def system
      [Facter.value('os.name'), Facter.value('os.family')].map { |one| one.to_s.downcase }
    end

    def package_provider
      return redhat_provider if system.last == 'redhat'

      PACKAGES.values_at(*system).compact.first
    end

    def redhat_provider
      return :yum if system.first == 'amazon' && Facter.value('os.release.major').to_i < 2023

      system.first == 'fedora' || Facter.value('os.release.major').to_i >= DNF ? :dnf : :yum
    end

    def service_provider
      return :systemd if File.file?('/proc/1/comm') && File.read('/proc/1/comm').include?('systemd')

      SERVICES.values_at(*system).compact.first || :init
    end
  end
end
