# frozen_string_literal: true

# Frames, requests, callbacks, and values as JSON.
module Bunraku
  # Something that Python raised and Ruby code must not rescue by accident.
  class Signal < Exception # rubocop:disable Lint/InheritException
  end

  # An exception that Python knows by a number.
  module FromPython
    attr_accessor :bunraku_id
  end

  # Called by fork, Process.fork and IO.popen('-') of Ruby 3.1 and newer.
  module Forks
    def _fork
      super.tap { |pid| Bunraku.forked if pid.zero? }
    end
  end

  SHIM = "#{__dir__}/"
  OWN = (RbConfig::CONFIG.values_at('rubylibdir', 'rubyarchdir').compact.map { |dir| "#{dir}/" } << SHIM << '<internal:').freeze
  HANDLERS = {}
  ABSENT = Object.new.freeze # what a Hiera backend answers that has no value
  # What Python answers without looking at values that Ruby code may have changed.
  QUIET = %w[lookup exists has_value bound is_top top_scope log setting fact facts environment module_path file library title source reads fact_value has_fact].freeze
  @blocks = {}
  @next_block = 0
  @depth = 0
  @exceptions = {}

  class << self
    # The answer to a request, by the request's "do".
    def on(name, &block)
      HANDLERS[name] = block
    end

    def run
      @input = $stdin.dup
      @output = $stdout.dup
      [@input, @output].each(&:binmode)
      $stdin.reopen(File::NULL)
      $stdout.reopen($stderr)
      trap('INT', 'IGNORE')
      @turn = Mutex.new
      @process = Process.pid
      @began = 0.0
      Process.singleton_class.prepend(Forks)
      @loaded = $LOADED_FEATURES.size
      write('ready' => true)
      loop do
        frame = read
        break if frame.nil?

        respond(frame)
      end
    end

    def read
      head = @input.read(4) or return nil
      @received = clock_time
      JSON.parse(@input.read(head.unpack1('N')).force_encoding(Encoding::UTF_8), max_nesting: false)
    end

    # Answer or ask; from then on it is Python's turn, and nothing counts for the limits.
    def write(message)
      exit! unless Process.pid == @process # a fork that ran out of the code that made it
      text = frame_of(message)
      @turn.synchronize do
        @working = false
        transmit(text)
      end
    end

    def frame_of(message)
      text = JSON.generate(message, max_nesting: false).b
      [text.bytesize].pack('N') + text
    end

    def transmit(text)
      @output.write(text)
      @output.flush
    rescue Errno::EPIPE # Python has ended
      exit!
    end

    # Leave the pipes to the process that forked: Python must see it end.
    def forked
      [@input, @output].each(&:close)
      Reads.recorded = false
    end

    # Whether the compile follows Puppet 3.
    def old?
      @old
    end

    def respond(frame)
      limit(*frame['limits']) if frame['limits']
      Dir.chdir(frame['folder']) if frame['folder']
      counted = begin_counting
      forget_compile if frame['fresh']
      Reads.recorded = frame['recorded'] if frame['fresh']
      Kept.add(frame['state'], true) if frame['state']
      Kept.add(frame['later'], frame['fresh']) if frame['later']
      @old = frame['old'] if frame.key?('old') # Puppet 3's strings can be changed
      @depth += 1
      outer, @at = @at, nil
      reply = { 'error' => { 'jump' => true } } # of a throw, break or return that leaves this method
      begin
        Puppet::Parser::Scope.bunraku_around do
          reply = reply_to(frame)
          reply = reply.merge('more' => more_of(frame)) if frame['more'] && !reply.key?('error')
        end
      ensure
        @at = outer
        @depth -= 1
        send_reply(reply)
        resume(counted) if @depth.positive?
      end
    end

    # Answer, with the news since the last frame.
    def send_reply(reply)
      @exceptions.clear if @depth.zero?
      changed = Shared.changes
      reply = reply.merge('changed' => changed) unless changed.empty?
      Shared.end_of_request if @depth.zero?
      loaded = loaded_files
      reply = reply.merge('loaded' => loaded) unless loaded.empty?
      reply = reply.merge('defined' => OldFunctions.news) if OldFunctions.news?
      write(reply)
    end

    # What was required since the last time, Ruby's own left out.
    def loaded_files
      first = @loaded
      @loaded = $LOADED_FEATURES.size
      return [] if first == @loaded

      $LOADED_FEATURES.drop(first).reject { |path| OWN.any? { |dir| path.start_with?(dir) } }.map { |path| clean(path) }
    end

    def reply_to(frame)
      found = HANDLERS.fetch(frame['do']).call(frame)
      return { 'absent' => true } if found.equal?(ABSENT)

      return { 'ok' => Shared.encode(found) } if frame['do'] == 'call' && !frame['backend'] && Shared.container?(found)

      json?(found) && !Shared.within?(found) ? { 'plain' => found } : { 'ok' => encode(found) }
    rescue Exception => e # rubocop:disable Lint/RescueException
      { 'error' => describe(e) }
    end

    # Whether JSON has all of a value, so it needs no tags.
    def json?(value)
      case value
      when String then (value.encoding == Encoding::UTF_8 || (value.ascii_only? && value.encoding != Encoding::BINARY)) && value.valid_encoding?
      when nil, true, false, Integer then true
      when Float then value.finite?
      when Array then value.instance_of?(Array) && value.all? { |item| json?(item) }
      when Hash
        value.each { |key, item| return false unless key.is_a?(String) && json?(key) && json?(item) } # faster than all?
        value.instance_of?(Hash)
      else false
      end
    end

    # Ask Python for something; requests that come before the answer are served.
    def ask(name, *arguments)
      message = { 'call' => name, 'args' => arguments }
      message['at'] = @at if @at # which of several calls asks
      changed = QUIET.include?(name) ? [] : Shared.changes
      message['changed'] = changed unless changed.empty?
      message['defined'] = OldFunctions.news if OldFunctions.news?
      write(message)
      answer = answer_to_ask
      return decode(answer['ok']) if answer.key?('ok')

      fail_with(answer['raise'])
    end

    # The answer from Python. A throw, break or return that leaves a request in between waits for it, too.
    def answer_to_ask
      answer = nil
      begin
        answer = next_answer
      ensure
        next_answer unless answer
      end
    end

    def next_answer
      loop do
        frame = read or exit!
        proceed
        return frame if frame.key?('ok') || frame.key?('raise')

        respond(frame)
      end
    end

    def fail_with(failure)
      error = @exceptions[failure['exception']] || jump_of(failure) || exception_of(failure['class'], failure['message'])
      error.extend(FromPython).bunraku_id = failure['id']
      raise error
    end

    # What Puppet raises for break, next and return, which passes through Ruby code; nil for an error.
    def jump_of(failure)
      case failure['signal']
      when nil then nil
      when 'break' then Puppet::Pops::Evaluator::PuppetStopIteration.new(nil, nil)
      when 'next' then Puppet::Pops::Evaluator::Next.new(decode(failure['value']), nil, nil)
      when 'return' then Puppet::Pops::Evaluator::Return.new(decode(failure['value']), nil, nil)
      else Signal.new
      end
    end

    # A new exception; classes without a name, or that want other arguments, cannot be made again.
    def exception_of(name, message)
      Object.const_get(name).new(message)
    rescue NameError, TypeError, ::ArgumentError
      Puppet::ParseError.new(message)
    end

    def describe(error)
      given = error.is_a?(Puppet::ParseError) && error.file && error.line
      place = given ? [clean(error.file), error.line] : place_of(error)
      { 'given' => given ? true : false, 'class' => error.is_a?(MissingPiece) ? MissingPiece.name : error.class.name, 'message' => clean(message_of(error)), 'file' => place&.first, 'line' => place&.last,
        'id' => error.respond_to?(:bunraku_id) ? error.bunraku_id : nil, 'escapes' => !error.is_a?(StandardError), 'stops' => error.is_a?(StopIteration), 'exception' => keep_exception(error) }
    end

    # An exception that passes through Python to Ruby code around stays the same object.
    def keep_exception(error)
      return if @depth == 1 || error.is_a?(SystemExit)

      @exceptions[@exceptions.size + 1] = error
      @exceptions.size
    end

    def message_of(error)
      return error.message if error.is_a?(MissingPiece)
      return "undefined method `#{error.name}'#{receiver_text(error)}" if error.is_a?(NoMethodError)
      return name_text(error) if error.is_a?(NameError)

      error.respond_to?(:bunraku_message) ? error.bunraku_message : error.message.to_s
    end

    # NameError's own message may show the variables of its receiver, secrets among them. The rest is as in Ruby 3.1.
    def name_text(error)
      own = error.respond_to?(:original_message) ? error.original_message : error.message
      return own if own.start_with?('uninitialized constant ')

      "undefined local variable or method `#{error.name}' for #<#{class_text(error.receiver)}>"
    rescue ArgumentError
      "undefined local variable or method `#{error.name}'"
    end

    def receiver_text(error)
      receiver = error.receiver
      return " for #{receiver.inspect}:#{receiver.class}" if [nil, true, false].any? { |one| one.equal?(receiver) }

      receiver.is_a?(Module) && receiver.name ? " for #{receiver.name}" : " for a value of class #{class_text(receiver)}"
    rescue ArgumentError
      ''
    end

    # The class of an object; one without a name has an address, which differs from run to run.
    def class_text(object)
      object.class.name || object.class.inspect.gsub(Objects::ADDRESS, '')
    end

    def place_of(error)
      if error.is_a?(SyntaxError) && (found = /\A(.+?):(\d+): /.match(error.message.dup.force_encoding(Encoding::BINARY)))
        return [clean(found[1]), found[2].to_i]
      end
      place_in(error.backtrace_locations)
    end

    # File and line of the first location that is not in Ruby's own code or in this.
    def place_in(locations)
      location = locations&.find { |at| at.path && OWN.none? { |dir| at.path.start_with?(dir) } }
      location && [clean(location.path), location.lineno]
    end

    def clean(text)
      text.dup.force_encoding(Encoding::UTF_8).scrub('?')
    end

    # -- one compile -----------------------------------------------------------------------------

    # An answer that stays the same all through a compile.
    def known(key)
      @known.key?(key) ? @known[key] : (@known[key] = yield)
    end

    def note_known(key, value)
      @known[key] = value
    end

    def forget_compile
      Objects.forget
      OldFunctions.forget
      Functions.forget
      Loading.forget
      Kept.forget
      Templates.forget_definitions
      Puppet::Parser::Scope.bunraku_current = nil
      @known = {}
      Shared.forget
      forget_contexts
    end

    # -- blocks ----------------------------------------------------------------------------------

    def keep_block(block)
      @next_block += 1
      @blocks[@next_block] = block
      required = block.lambda? ? block.arity : block.parameters.count { |kind, _| %i[opt req].include?(kind) }
      { 'id' => @next_block, 'low' => required.negative? ? -required - 1 : required,
        'rest' => block.parameters.any? { |kind, _| kind == :rest }, 'names' => block.parameters.map { |_, name| name.to_s } }
    end

    def drop_block(id)
      @blocks.delete(id)
    end

    def block(id)
      @blocks.fetch(id)
    end
  end

  on('block') { |frame| block(frame['id']).call(*frame['args'].map { |item| decode(item) }) }
end
