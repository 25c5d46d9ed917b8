# frozen_string_literal: true

# Checks the manifests and EPP templates of puppet-syntax with bunraku: `require 'bunraku/puppet-syntax'` in the Rakefile.

require 'json'
require 'open3'
require 'puppet-syntax'

module Bunraku
  # The checks of puppet-syntax, with bunraku's parser in place of Puppet's.
  module PuppetSyntax
    # bunraku could not check the files.
    class Error < StandardError; end

    # Replaces the check of manifests.
    module Manifests
      def check(filelist)
        raise 'Expected an array of files' unless filelist.is_a?(Array)

        plans, others = filelist.to_a.partition { |name| name.match?(%r{plans/.*\.pp\z}) }
        found = PuppetSyntax.findings(others) + PuppetSyntax.findings(plans, '--tasks')
        [found.map { |one| PuppetSyntax.text_of(one) }, !found.empty?]
      end
    end

    # Replaces the check of EPP templates; the others stay with puppet-syntax.
    module Templates
      def check(filelist)
        raise 'Expected an array of files' unless filelist.is_a?(Array)

        ours, others = filelist.to_a.partition { |name| File.extname(name) == '.epp' }
        result = super(others)
        PuppetSyntax.findings(ours).each do |one|
          list = one['severity'] == 'error' ? :errors : :warnings
          result[list] << PuppetSyntax.text_of(one)
        end
        result
      end
    end

    class << self
      # Returns what `bunraku validate` finds in some files. Raises Error if it cannot check them.
      def findings(files, *options)
        return [] if files.empty?

        program = ENV.fetch('BUNRAKU', 'bunraku')
        found, message, status = Open3.capture3(program, 'validate', '--format', 'json', *options, '--', *files)
        raise Error, "bunraku could not check the files: #{message}" unless [0, 1].include?(status.exitstatus)

        JSON.parse(found)['diagnostics']
      rescue Errno::ENOENT, Errno::EACCES
        raise Error, "cannot start bunraku: #{program} (install bunraku, or set BUNRAKU to the path of its program)"
      end

      # Returns a finding in Puppet's form.
      def text_of(finding)
        place = %w[line column].filter_map { |name| ", #{name}: #{finding[name]}" if finding[name] }
        "#{finding['message']} (file: #{File.expand_path(finding['file'])}#{place.join})"
      end

      def install
        ::PuppetSyntax::Manifests.prepend(Manifests)
        ::PuppetSyntax::Templates.prepend(Templates)
      end
    end

    install
  end
end
