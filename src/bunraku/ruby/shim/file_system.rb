# frozen_string_literal: true

require 'pathname'
require 'fileutils'

module Puppet
  # Files and folders.
  module FileSystem
    class << self
      def pathname(path)
        Pathname.new(path)
      end

      def assert_path(path)
        path.is_a?(Pathname) ? path : Pathname.new(path)
      end

      def path_string(path)
        path.to_s
      end

      def expand_path(path, folder = nil)
        folder ? File.expand_path(path.to_s, folder.to_s) : File.expand_path(path.to_s)
      end

      def dir(path)
        assert_path(path).dirname
      end

      def dir_string(path)
        dir(path).to_s
      end

      def basename(path)
        assert_path(path).basename
      end

      def basename_string(path)
        basename(path).to_s
      end

      def dir_exist?(path)
        dir(path).exist?
      end

      def dir_mkpath(path)
        dir(path).mkpath
      end

      %i[exist? directory? file? size stat lstat symlink? executable? writable? children mkpath].each do |name|
        define_method(name) { |path| assert_path(path).public_send(name) }
      end

      def readlink(path)
        assert_path(path).readlink.to_s
      end

      def read(path, options = {})
        encoding = options[:encoding]
        encoding ? File.read(path.to_s, encoding: encoding) : File.read(path.to_s)
      end

      def read_preserve_line_endings(path)
        File.read(path.to_s, mode: 'rb', encoding: 'bom|utf-8')
      end

      def binread(path)
        File.binread(path.to_s)
      end

      def each_line(path, &block)
        File.open(path.to_s) { |file| file.each_line(&block) }
      end

      def open(path, mode, options, &block)
        File.open(path.to_s, options, mode, &block)
      end

      def exclusive_open(path, mode, options)
        File.open(path.to_s, options, mode) do |file|
          file.flock(File::LOCK_EX)
          yield file
        end
      end

      def exclusive_create(path, mode, &block)
        File.open(path.to_s, File::EXCL | File::CREAT | File::WRONLY, mode, &block)
      end

      def replace_file(path, mode = nil, &block)
        Puppet::Util.replace_file(path.to_s, mode || 0o640, &block)
      end

      def compare_stream(path, stream)
        File.open(path.to_s, 'rb') { |file| FileUtils.compare_stream(file, stream) }
      end

      def touch(path, **options)
        FileUtils.touch(path.to_s, **options)
      end

      def unlink(*paths)
        File.unlink(*paths.map(&:to_s))
      end

      def symlink(path, target, options = {})
        FileUtils.symlink(path.to_s, target.to_s, **options)
      end

      def chmod(mode, path)
        File.chmod(mode, path.to_s)
      end

      def overlay(*)
        yield
      end
    end
  end
end
