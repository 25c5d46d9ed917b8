# frozen_string_literal: true

module Puppet
  module Util
    # The kind of machine.
    module Platform
      FIPS_STATUS_FILE = '/proc/sys/crypto/fips_enabled'

      class << self
        def windows?
          false
        end

        def jruby?
          false
        end

        def jruby_fips?
          false
        end

        def fips_enabled?
          File.exist?(FIPS_STATUS_FILE) && File.read(FIPS_STATUS_FILE, 1) == '1'
        end

        def default_paths
          %w[/usr/sbin /sbin]
        end
      end
    end

    # How Puppet was started: a compile is one of a server's user.
    class RunMode
      attr_reader :name

      def self.[](name)
        new(name)
      end

      def initialize(name)
        @name = name.to_sym
      end

      def server?
        %i[master server].include?(name)
      end
      alias master? server?

      def agent?
        name == :agent
      end

      def user?
        name == :user
      end
    end

    # Timing of parts; nothing is measured.
    module Profiler
      def self.profile(_message, _id)
        yield
      end

      def self.current
        []
      end
    end
  end
end
