# frozen_string_literal: true

require 'json'

module Bunraku
  module RSpec
    # An answer of bunraku that says nothing about the code under test.
    class Error < StandardError; end

    # One `bunraku batch` process, started on first use and ended with this process.
    class Engine
      LIMIT = 600 # seconds for one catalog

      def initialize(program = ENV.fetch('BUNRAKU', 'bunraku'))
        @program = program
        @pipe = nil
        @owner = nil
      end

      # Returns the answer to a request: a Hash, and its text without what differs in each run. Raises Error if there is none.
      def ask(request)
        line = exchange("#{JSON.generate(request)}\n")
        answer = JSON.parse(line, max_nesting: false)
        return answer, line[line.index('"status"')..] if %w[ok parse_error eval_error absent].include?(answer['status'])

        raise Error, "bunraku could not answer (#{answer['status']}): #{answer['error']['message']}"
      end

      # Ends the process.
      def close
        return unless @pipe && @owner == Process.pid

        @pipe.close
        @pipe = nil
      end

      private

      # A process that ended is started again once; a request that ends that one too is an error.
      def exchange(line)
        2.times do
          answer = send_and_read(line)
          return answer if answer
        end
        raise Error, "#{@program} batch ended twice while it compiled a catalog (#{@ending})"
      end

      def send_and_read(line)
        pipe = running
        pipe.write(line)
        pipe.flush
        pipe.gets || forget
      rescue Errno::EPIPE
        forget
      end

      def forget
        @pipe.close
        @ending = $?.to_s.sub(/\Apid \d+ /, '')
        @pipe = nil
      end

      # A fork of this process must not read the answers of its parent.
      def running
        return @pipe if @pipe && @owner == Process.pid

        @owner = Process.pid
        @pipe = IO.popen([@program, 'batch', '--timeout', LIMIT.to_s], 'r+', encoding: 'UTF-8')
      rescue Errno::ENOENT, Errno::EACCES => e
        raise Error, "cannot start bunraku: #{e.message.sub(/ - .*/, '')}: #{@program} " \
                     '(install bunraku, or set BUNRAKU to the path of its program; BUNRAKU_RSPEC=off runs the suite on Puppet)'
      end
    end
  end
end
