# frozen_string_literal: true

module Facter
  module Util
    # Reads files; one that cannot be read has a default.
    class FileHelper
      def self.safe_read(path, default = '')
        File.readable?(path) ? File.read(path, encoding: Encoding::UTF_8) : default
      end

      def self.safe_readlines(path, default = [])
        File.readable?(path) ? File.readlines(path, encoding: Encoding::UTF_8) : default
      end

      def self.dir_children(path)
        Dir.children(path)
      end
    end
  end
end
