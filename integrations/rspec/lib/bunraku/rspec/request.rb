# frozen_string_literal: true

require 'digest/sha2'

module Bunraku
  module RSpec
    # Data that cannot be sent to bunraku; the message says why.
    class Unsuitable < StandardError; end

    # The request for the catalog of a node, from the state that rspec-puppet prepared for Puppet.
    class Request
      # Settings that differ between directories of one run and that no manifest should depend on are sent, too:
      # `$settings::vardir` is a variable of manifests.
      LAYERS = %i[memory cli overridden_defaults application_defaults].freeze

      # Settings that Puppet gives to a compile in another way.
      ELSEWHERE = %i[code manifest modulepath environmentpath basemodulepath vendormoduledir].freeze

      def initialize(node, exported)
        @node = node
        @exported = exported
        @environment = node.environment
      end

      # Returns the request. Raises Unsuitable if JSON cannot hold a value.
      def to_h
        {
          **rest, 'id' => '1', 'do' => 'catalog', 'facts' => plain(@node.facts.values, 'facts'),
          'settings' => settings, 'key' => key, 'temporary' => [Puppet[:vardir]]
        }
      end

      # Returns the question for an answer that bunraku cached, or nil for facts that are no data.
      def question
        key && { 'id' => '1', 'do' => 'cached', 'key' => key }
      end

      # Returns a text that differs where the request does, without what differs in each run; nil for facts that are no data.
      def key
        @key ||= Digest::SHA256.hexdigest(Marshal.dump([rest, Speed.arguments, settings.reject { |name, _| name == 'vardir' }]))
      rescue TypeError
        nil
      end

      private

      def rest
        @rest ||= {
          'code' => text(Puppet[:code].to_s), 'node' => @node.name,
          'node_parameters' => plain(parameters, 'node parameters'),
          'trusted' => plain(trusted, 'trusted facts'),
          'server_facts' => plain(@node.server_facts || {}, 'server facts'),
          'modulepath' => @environment.modulepath.map { |path| File.expand_path(path) },
          'module_hiera' => module_hiera, 'exported' => @exported ? true : false
        }
      end

      # Returns the parameters that are not facts.
      def parameters
        facts = @node.facts.values
        @node.parameters.reject { |name, value| name == 'environment' || (facts.key?(name) && facts[name].equal?(value)) }
      end

      def trusted
        Puppet.lookup(:trusted_information) { Puppet::Context::TrustedInformation.local(@node) }.to_h
      end

      def settings
        @settings ||= found_settings
      end

      def found_settings
        found = { 'environment' => @environment.name.to_s }
        sets = Puppet.settings.instance_variable_get(:@value_sets)
        LAYERS.reverse_each do |layer|
          names = sets[layer]&.instance_variable_get(:@values)&.keys || []
          (names - ELSEWHERE).each { |name| found[name.to_s] = setting(Puppet[name]) }
        end
        found
      end

      def setting(value)
        case value
        when true, false, nil, Numeric, String then value
        when Array then value.join(',')
        else value.to_s
        end
      end

      # Returns the hiera.yaml of the modules for which the suite replaces or removes it.
      def module_hiera
        configuration = ::RSpec.configuration
        replaced = configuration.disable_module_hiera || configuration.use_fixture_spec_hiera ||
                   configuration.fixture_hiera_configs.any?
        return {} unless replaced

        @environment.modules.to_h do |one|
          path = one.hiera_conf_file
          [one.name, path && File.file?(path) ? path.to_s : nil]
        end
      end

      def text(string)
        utf8 = string.encoding == Encoding::UTF_8 ? string : string.dup.force_encoding(Encoding::UTF_8)
        utf8.valid_encoding? ? utf8 : { '__bytes' => [string].pack('m0') }
      end

      def plain(value, where)
        case value
        when String then plain_text(value, where)
        when Integer, true, false, nil then value
        when Float then finite(value, where)
        when Array then value.map { |item| plain(item, where) }
        when Hash then value.to_h { |name, item| [name.is_a?(Symbol) ? name.to_s : plain_name(name, where), plain(item, where)] }
        else raise Unsuitable, "#{where} with a value of class #{value.class}"
        end
      end

      def plain_text(value, where)
        found = text(value)
        found.is_a?(String) ? found : raise(Unsuitable, "#{where} with text that is not UTF-8")
      end

      def plain_name(value, where)
        value.is_a?(String) ? plain_text(value, where) : raise(Unsuitable, "#{where} with a key of class #{value.class}")
      end

      def finite(value, where)
        value.finite? ? value : raise(Unsuitable, "#{where} with #{value}")
      end
    end
  end
end
