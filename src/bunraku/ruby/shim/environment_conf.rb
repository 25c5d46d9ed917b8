# frozen_string_literal: true

require 'pathname'

module Puppet
  class Settings
    # The settings of one environment.conf; those that it lacks have Puppet's defaults.
    class EnvironmentConf
      LINE = /\A\s*(\w+)\s*=\s*(.*?)\s*\z/.freeze
      HEADER = /\A\s*\[(\w+)\]\s*\z/.freeze
      KNOWN = %i[modulepath manifest config_version environment_timeout environment_data_provider static_catalogs rich_data].freeze

      # One setting, and the settings before or inside of one header.
      Setting = Struct.new(:name, :value)
      Section = Struct.new(:name, :settings) do
        def setting(name)
          settings.find { |setting| setting.name == name }
        end
      end

      class << self
        # Read the file of a folder, which may be missing; ``modulepath`` are the folders of all environments.
        def load_from(folder, modulepath)
          folder = File.expand_path(folder)
          file = File.join(folder, 'environment.conf')
          sections = File.file?(file) ? sections_of(File.read(file, encoding: Encoding::UTF_8)) : {}
          warn_of_the_rest(file, sections)
          new(folder, sections[:main], modulepath)
        end

        private

        def sections_of(text)
          found = { main: Section.new(:main, []) }
          current = found[:main]
          text.each_line(chomp: true) do |line|
            if (header = HEADER.match(line))
              name = header[1].to_sym
              current = found[name] ||= Section.new(name, [])
            elsif (setting = LINE.match(line))
              current.settings << Setting.new(setting[1].to_sym, setting[2].gsub(/\A["']|["']\z/, ''))
            end
          end
          found
        end

        def warn_of_the_rest(file, sections)
          others = sections.keys - [:main]
          unknown = sections.values.first(1).flat_map(&:settings).map(&:name) - KNOWN
          unless others.empty?
            Puppet.warn_once(:invalid_settings_section, "EnvironmentConf-section:#{file}",
                             "Invalid sections in environment.conf at '#{file}'. Environment conf may not have sections. The following sections are being ignored: '#{others.join(',')}'")
          end
          return if unknown.empty?

          Puppet.warn_once(:invalid_settings, "EnvironmentConf-settings:#{file}",
                           "Invalid settings in environment.conf at '#{file}'. The following unknown setting(s) are being ignored: #{unknown.join(', ')}")
        end
      end

      attr_reader :path_to_env, :section

      def initialize(path_to_env, section, global_module_path)
        @path_to_env = path_to_env
        @section = section
        @global_module_path = global_module_path
      end

      def raw_setting(name)
        section&.setting(name)&.value
      end

      def modulepath
        given = raw_setting(:modulepath)&.split(File::PATH_SEPARATOR)
        folders = given || [File.join(path_to_env, 'modules'), *@global_module_path]
        folders.flat_map { |folder| matching(absolute(folder)) }.join(File::PATH_SEPARATOR)
      end

      def manifest
        absolute(raw_setting(:manifest) || Puppet[:default_manifest] || './manifests')
      end

      def config_version
        given = raw_setting(:config_version)
        given && absolute(given)
      end

      def environment_timeout
        given = raw_setting(:environment_timeout)
        given ? seconds(given) : Puppet[:environment_timeout]
      end

      %i[environment_data_provider static_catalogs rich_data].each do |name|
        define_method(name) do
          given = raw_setting(name)
          given.nil? ? Puppet[name] : { 'true' => true, 'false' => false }.fetch(given, given)
        end
      end

      private

      def seconds(text)
        number, unit = /\A(\d+)([smhdy]?)\z/.match(text)&.captures
        return Float::INFINITY if text == 'unlimited'

        raise SettingsError, "Invalid TTL format '#{text}' for parameter: environment_timeout" unless number

        number.to_i * { '' => 1, 's' => 1, 'm' => 60, 'h' => 3600, 'd' => 86_400, 'y' => 31_536_000 }[unit]
      end

      def absolute(path)
        path.start_with?('$') ? path : File.expand_path(path, path_to_env)
      end

      def matching(path)
        path.match?(/[*?\[{]/) ? Dir.glob(path) : path
      end
    end
  end
end
