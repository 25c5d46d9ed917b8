# frozen_string_literal: true

require 'io/wait'

# The limits of a request. A thread compares what the running request has used with them. Past a limit
# it sends the place that runs and ends the process: nothing is raised in the code that hangs, so
# code cannot rescue it, and no half-changed state is used again.
module Bunraku
  SHORTEST = 0.02 # seconds between two looks
  SUSPENDED = 1.0 # a thread that wakes so much later than planned did not run: the machine was busy or asleep

  class << self
    # Set the limits: seconds of processor time of a request, seconds from one frame to the next.
    def limit(processor, clock)
      @most_processor = processor
      @most_clock = clock
      @watch&.kill
      @watch = Thread.new { watch }
    end

    # Begin to count for a request; what it returns is for #resume.
    def begin_counting
      outer = @began
      @began = processor_time
      @working = true
      [outer, @began]
    end

    # Go on to count for the request around, which the one inside it did not use up.
    def resume(counted)
      outer, began = counted
      @began = outer + processor_time - began
    end

    # End the request that goes on with an answer of Python, if it is past its limit.
    def proceed
      @working = true
      return unless @late

      @late = false
      @turn.synchronize { report }
    end

    def clock_time
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    # The processor time of this process and of its children that have ended.
    def processor_time
      times = Process.times
      times.utime + times.stime + times.cutime + times.cstime
    end

    private

    # Short requests cost nothing: the thread sleeps until the first moment at which a limit may be reached.
    def watch
      loop do
        planned = [left, SHORTEST].max
        started = clock_time
        closed if closed_within?(planned)
        late = clock_time - started - planned
        @received += late if late > SUSPENDED
        late! if left <= 0
      end
    end

    # Seconds until the request that runs can reach a limit. While Python answers it, its clock stands.
    def left
      return [@most_processor, @most_clock].min if @depth.zero?

      processor = @most_processor - processor_time + @began
      @working ? [processor, @most_clock - clock_time + @received].min : processor
    end

    # Wait, and return whether Python closed the pipe.
    def closed_within?(seconds)
      return sleep(seconds) && false unless @input.respond_to?(:wait_priority) # Ruby 2.7

      !@input.wait_priority(seconds).nil?
    end

    # Python has ended. Code that runs cannot answer any more; while none runs, the main thread reads the end.
    def closed
      @working ? exit! : sleep(SHORTEST)
    end

    # End the request that runs, unless it is just being answered. Code that asks Python for something all
    # the time lets other threads run only meanwhile; it is ended when it has the answer.
    def late!
      return @late = true unless @working
      return unless @turn.try_lock

      report if @working
      @turn.unlock
    end

    def report
      return if left.positive?

      used = processor_time - @began > @most_processor ? 'processor' : 'clock'
      place = place_in(Thread.main.backtrace_locations)
      transmit(frame_of('hangs' => used, 'file' => place&.first, 'line' => place&.last))
      exit!
    end
  end
end
