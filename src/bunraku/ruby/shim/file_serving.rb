# frozen_string_literal: true

module Puppet
  # Files that modules serve, for code that reads them while a catalog is compiled.
  module FileServing
    # A file: its path, and its content as bytes.
    class Content
      # Finds files by puppet:///modules/NAME/FILE, or by an absolute path.
      module Indirection
        SERVED = %r{\A(?:puppet:///)?modules/(?<name>[^/]+/.+)\z}m

        class << self
          def find(key, _options = {})
            path = path_of(key.to_s)
            path && File.exist?(path) ? Content.new(path) : nil
          end

          private

          def path_of(key)
            served = SERVED.match(key)
            return Puppet::Parser::Files.find_file(served[:name], Puppet::Node::Environment.bunraku_running) if served

            path = key.delete_prefix('file://')
            path if path.start_with?('/')
          end
        end
      end

      attr_reader :path

      def self.indirection
        Indirection
      end

      def initialize(path, **_options)
        @path = path
      end

      def full_path
        path
      end

      def content
        File.binread(path)
      end
    end
  end
end
