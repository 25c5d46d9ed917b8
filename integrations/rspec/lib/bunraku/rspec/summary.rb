# frozen_string_literal: true

module Bunraku
  module RSpec
    # Counts the catalogs of a run, and prints one line at its end.
    class Summary
      def initialize
        @compiled = 0
        @cached = 0
        @reasons = Hash.new { |reasons, text| reasons[text] = [] }
      end

      def compiled
        @compiled += 1
      end

      # Notes that a catalog was taken from the cache, because nothing that it depends on changed.
      def cached
        @cached += 1
      end

      # Notes that Puppet compiled the catalog of an example, and why.
      def fell_back(reason, example)
        @reasons[reason] << example
      end

      def lines
        return [] if @compiled.zero? && @cached.zero? && @reasons.empty?

        [line, *details]
      end

      private

      def line
        text = "bunraku: #{counted(@compiled, 'catalog')} compiled"
        text += ", #{@cached} taken from the cache" if @cached.positive?
        return text if @reasons.empty?

        examples = @reasons.values.flatten.uniq.size
        kinds = @reasons.keys.map { |reason| reason[/\A[^:]+/] }.uniq.sort.join(', ')
        "#{text}, #{counted(examples, 'example')} compiled by Puppet (#{kinds})"
      end

      def details
        return [] unless ENV['BUNRAKU_RSPEC_VERBOSE'] == '1'

        @reasons.sort.flat_map { |reason, examples| ["  #{reason}", *examples.uniq.map { |one| "    #{one}" }] }
      end

      def counted(number, noun)
        "#{number} #{noun}#{'s' unless number == 1}"
      end
    end
  end
end
