# frozen_string_literal: true

require 'rbconfig'

module Facter
  # The facts of the machine, which bunraku collects; those about Ruby are computed here.
  module Machine
    # Structured facts that have no facts below their names.
    WHOLE = %w[disks hypervisors load_averages mountpoints networking.interfaces partitions processors.models ssh].freeze

    @structured = {}
    @legacy = {}
    @dropped = []

    class << self
      # The names of custom facts that are not computed again.
      attr_writer :dropped
      attr_reader :structured

      def take(structured, legacy)
        ruby = { 'platform' => RUBY_PLATFORM, 'sitedir' => RbConfig::CONFIG['sitelibdir'], 'version' => RUBY_VERSION }
        @structured = structured.merge('ruby' => ruby)
        @legacy = legacy.merge(ruby.each_with_object({}) { |(name, value), facts| facts["ruby#{name}"] = value })
      end

      def dropped?(name)
        @dropped.include?(name.to_s)
      end

      # A fact or a part of one by its dotted name; nil if the machine does not have it.
      def value(name)
        @legacy.fetch(name) { Values.part(@structured, name) }
      rescue KeyError, TypeError
        nil
      end

      # Whether Facter has a fact of exactly this name.
      def fact?(name)
        found = value(name)
        !found.nil? && (!found.is_a?(Hash) || WHOLE.include?(name))
      end
    end
  end
end
