# frozen_string_literal: true

require_relative 'cache'
require_relative 'garbage'

module Bunraku
  module RSpec
    # Searches in FacterDB, which read its whole database, cached on disk.
    module FactSets
      class << self
        def install
          FacterDB.singleton_class.prepend(Database)
          JGrep.singleton_class.prepend(Search)
        end
      end

      # The database is read where a search needs it.
      module Database
        def get_facts(*, **)
          @searching = true
          super
        ensure
          @searching = false
        end

        def database
          return super unless @searching && Cache.instance && method(:facterdb_fact_files).owner == FacterDB.singleton_class

          @later ||= Later.new(facterdb_fact_files) { super }
        end
      end

      # The database before it is read. Its name decides its content.
      class Later
        attr_reader :name

        def initialize(files, &read)
          status = files.map { |path| [path, File.stat(path)].then { |one, found| [one, found.mtime.to_r, found.size] } }
          @name = Digest::SHA256.hexdigest([RUBY_VERSION, FacterDB.inject_source?, status].join("\0"))
          @read = read
        end

        def text
          @text ||= @read.call
        end
      end

      # Answers a search with an earlier result.
      module Search
        def jgrep(json, expression, *rest)
          return super unless json.is_a?(Later)

          Garbage.check
          content = Cache.instance.read(json.name, expression)
          return Marshal.load(content) if content && rest.empty?

          super(json.text, expression, *rest).tap do |found|
            Cache.instance.write(Marshal.dump(found), json.name, expression) if rest.empty?
          end
        end
      end
    end
  end
end
