# frozen_string_literal: true

module Facter
  # What runs: a file that is loaded, or a fact that is resolved, perhaps for another one. The block
  # `on_answer` gets a hash for each change, and for each message with its place.
  module Progress
    Step = Struct.new(:fact, :file, :line, :limit, :messages, :depth)

    @steps = []
    @files = {}
    @lines = {}
    @reported = {}
    @roots = []
    @announce = proc {}
    @default_limit = 0

    class << self
      attr_accessor :default_limit
      # The file of each custom fact, and the line that defines it.
      attr_reader :files, :lines

      # Take the directories with code of facts. Places of code have no symbolic links.
      def roots=(directories)
        @roots = directories.select { |one| File.exist?(one) }.flat_map { |one| [one, File.realpath(one)] }.uniq
      end

      def on_answer(&block)
        @announce = block
      end

      # Remember where a fact is defined, by the caller's location.
      def note(name, location)
        key = name.to_s.downcase
        return if @files.include?(key)

        @files[key] = location.absolute_path || @steps.last&.file
        @lines[key] = location.absolute_path && location.lineno
      end

      def within(fact, file)
        name = fact&.name&.to_s
        @steps.push(Step.new(name, file, @lines[name], fact&.limit, [], caller_locations.size))
        announce_step
        yield
      ensure
        @steps.pop
        announce_step if @steps.any?
      end

      def nested?
        @steps.any?
      end

      # Report the messages of the innermost fact, once it is known whether it has a value. Only exceptions are
      # reasons for having none.
      def tell(left_out)
        @steps.last.messages.each { |line| @announce.call(line.merge('left_out' => left_out && line['left_out'])) }
      end

      # Report a text; `failed` if the file cannot be used. Messages of a fact wait for `tell`.
      def message(text, exception = nil, failed: false)
        step = @steps.last || Step.new
        path, number = place_of(exception, step) || [step.file, step.line]
        line = { 'fact' => step.fact, 'file' => path, 'line' => number, 'warn' => plain(text),
                 'left_out' => step.fact ? !exception.nil? : failed }
        return if @reported.include?(line)

        @reported[line] = true
        step.fact ? step.messages.push(line) : @announce.call(line)
      end

      # The text of an exception, without a place that is reported beside it.
      def text_of(exception)
        text = exception.message.to_s.scrub
        text = text.sub(/\A[^\n]+?:\d+: /, '') if exception.is_a?(SyntaxError)
        "#{exception.class}: #{text}"
      end

      private

      # A fact that declares a limit is ended by Ruby's clock: `clock`.
      def announce_step
        step = @steps.last
        limit = step.limit || @default_limit
        declared = !step.limit.nil?
        @announce.call('begin' => step.fact, 'file' => step.file, 'line' => step.line, 'timeout' => limit,
                       'declared' => declared, 'clock' => declared)
      end

      # A message without the code that Ruby quotes.
      def plain(text)
        text.to_s.dup.force_encoding(Encoding::UTF_8).scrub.sub(/\n\n[^\n]*\n *\^+\s*\z/, '')
      end

      # The place of an exception, or of the call that reports a text, in the code of a step.
      def place_of(exception, step)
        place = exception.is_a?(SyntaxError) && exception.message.scrub.match(/\A(?<path>[^\n]+?):(?<line>\d+): /)
        return [place[:path], place[:line].to_i] if place

        locations = exception.is_a?(Exception) ? exception.backtrace_locations : caller_locations
        inside = (locations || []).reverse.drop(step.depth || 0).reverse
        one = inside.find { |location| watched?(location.absolute_path) }
        one && [one.absolute_path, one.lineno]
      end

      def watched?(path)
        path && @roots.any? { |directory| path.start_with?("#{directory}/") }
      end
    end
  end
end
