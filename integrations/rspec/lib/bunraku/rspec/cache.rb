# frozen_string_literal: true

require 'digest/sha2'
require 'fileutils'
require 'securerandom'

module Bunraku
  module RSpec
    # Entries in bunraku's cache on disk with what took long to make, each named by all that decides its content.
    # bunraku counts them, removes the oldest ones, and clears them with its own.
    #
    # Whoever can write an entry runs code as this user, so the folder must belong to the user, and be writable by no other.
    class Cache
      OFF = 'BUNRAKU_NO_CACHE'
      FOR_OTHERS = 0o022
      DIGITS = 40

      class << self
        # Returns the cache, or nil where it is switched off or cannot be private.
        def instance
          return @instance if defined?(@instance)

          @instance = (opened if ENV[OFF].to_s.empty? && !Gem.win_platform?) # there, modes of files say nothing
        end

        private

        def opened
          base = ENV['XDG_CACHE_HOME'].to_s
          base = File.expand_path('~/.cache') unless base.start_with?('/')
          folder = "#{base}/bunraku/code"
          FileUtils.mkdir_p(folder, mode: 0o700)
          new(folder) if private?(File.dirname(folder)) && private?(folder)
        rescue SystemCallError, ArgumentError # no home
          nil
        end

        def private?(folder)
          status = File.lstat(folder)
          status.directory? && status.owned? && (status.mode & FOR_OTHERS).zero?
        end
      end

      def initialize(folder)
        @folder = folder
      end

      # Returns the content of an entry, or nil.
      def read(*name)
        File.open(path_of(name), File::RDONLY | File::NOFOLLOW) do |file|
          file.binmode.read if file.stat.owned?
        end
      rescue SystemCallError
        nil
      end

      # Writes an entry in one step, or not at all.
      def write(content, *name)
        path = path_of(name)
        temporary = "#{@folder}/.new-#{SecureRandom.hex(8)}"
        File.open(temporary, File::WRONLY | File::CREAT | File::EXCL, 0o600) { |file| file.binmode.write(content) }
        File.rename(temporary, path)
      rescue SystemCallError
        nil
      end

      private

      def path_of(name)
        "#{@folder}/#{Digest::SHA256.hexdigest(name.join("\0"))[0, DIGITS]}.data"
      end
    end
  end
end
