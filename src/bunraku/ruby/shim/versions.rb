# frozen_string_literal: true

module SemanticPuppet
  # A semantic version.
  class Version
    include Comparable
    include Bunraku::Held

    PATTERN = /\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?\z/.freeze
    class ValidationFailure < ArgumentError; end

    attr_reader :major, :minor, :patch

    def self.parse(text)
      raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier" unless valid?(text)

      new(text)
    end

    def self.valid?(text)
      PATTERN.match?(text)
    end

    # From a text, or from its parts.
    def initialize(text, minor = nil, patch = nil, prerelease = nil, build = nil)
      unless minor.nil?
        text = [text, minor, patch].join('.')
        text += "-#{Array(prerelease).join('.')}" if prerelease
        text += "+#{Array(build).join('.')}" if build
      end
      bunraku_hold(nil, text)
      found = PATTERN.match(text)
      @major, @minor, @patch = found[1..3].map(&:to_i)
      @prerelease, @build = found[4], found[5]
    end

    def prerelease
      @prerelease&.split('.')
    end

    def build
      @build&.split('.')
    end

    # The next version that is greater in one part.
    def next(part)
      case part
      when :major then Version.new(major + 1, 0, 0)
      when :minor then Version.new(major, minor + 1, 0)
      when :patch then Version.new(major, minor, patch + 1)
      end
    end

    def stable?
      @prerelease.nil?
    end

    def inspect
      to_s
    end

    def <=>(other)
      return nil unless other.is_a?(Version)

      order = [major, minor, patch] <=> [other.major, other.minor, other.patch]
      order.zero? ? compare_prerelease(prerelease, other.prerelease) : order
    end

    def ==(other)
      other.is_a?(Version) && (self <=> other).zero?
    end

    private

    def compare_prerelease(left, right)
      return (left ? -1 : 0) + (right ? 1 : 0) if left.nil? || right.nil?

      rank = ->(part) { part.match?(/\A\d+\z/) ? [0, part.to_i, ''] : [1, 0, part] }
      left.map(&rank) <=> right.map(&rank)
    end
  end

  # A range of versions; Python knows what is in it.
  class VersionRange
    include Bunraku::Held

    class << self
      def parse(text)
        Bunraku.ask('new', 'SemVerRange', Bunraku.encode(text))
      rescue Puppet::Error => e
        raise ::ArgumentError, e.message
      end

      # From the lowest and the highest version.
      def new(low = nil, high = nil, exclude_end = false)
        low.nil? ? super() : parse(">=#{low} #{exclude_end ? '<' : '<='}#{high}")
      end
    end

    # The lowest version and the highest.
    %w[begin end].each do |name|
      define_method(name) { Version.new(Bunraku.ask('range_end', Bunraku.encode(self), name)) }
    end

    def include?(version)
      Bunraku.ask('in_range', Bunraku.encode(self), version.to_s)
    end
    alias member? include?
    alias cover? include?
    alias === include?

    def inspect
      to_s
    end
  end
end
