# frozen_string_literal: true

module Facter
  module Core
    # Programs that facts run.
    module Execution
      class ExecutionFailure < StandardError; end

      OPTIONS = %i[on_fail expand logger timeout].freeze
      LIMIT = 300 # seconds
      QUOTED = [/\A"(.+?)"(?:\s+(.*))?/, /\A'(.+?)'(?:\s+(.*))?/].freeze
      C_LOCALE = { 'LC_ALL' => 'C', 'LANG' => 'C' }.freeze

      module_function

      def search_paths
        ENV['PATH'].to_s.split(File::PATH_SEPARATOR) + ['/sbin', '/usr/sbin']
      end

      def which(name)
        candidates = absolute_path?(name) ? [name] : search_paths.map { |directory| File.join(directory, name) }
        candidates.find { |path| File.executable?(path) && File.file?(path) }
      end

      def absolute_path?(path, platform = nil)
        return path.match?(%r{\A(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/])}) if platform == :windows

        path.start_with?('/')
      end

      # The command with the path of its program; nil if there is none.
      def expand_command(command)
        quoted = QUOTED.map { |pattern| command.match(pattern) }.compact.first
        name, arguments = quoted ? quoted.captures : command.split(/ /, 2)
        path = name && which(name)
        return nil unless path

        path = "'#{path}'" if path.match?(/\s/)
        arguments ? "#{path} #{arguments}" : path
      end

      # Run a block with environment variables.
      def with_env(values)
        before = values.keys.map { |name| [name, ENV[name]] }
        values.each { |name, value| ENV[name] = value }
        yield
      ensure
        before.each { |name, value| ENV[name] = value }
      end

      def exec(command)
        execute(command, on_fail: nil)
      end

      # The output of a command; `on_fail` if its program does not exist.
      def execute(command, options = {})
        on_fail = options.fetch(:on_fail, :raise)
        as_it_is = !options.fetch(:expand, true) && Execution.builtin?(command) || options[:logger]
        seconds = Execution.limit_of(options)
        expanded = as_it_is ? command : expand_command(command)
        if expanded
          output, = execute_command(expanded, on_fail, options[:logger], seconds)
          return output
        end
        raise ExecutionFailure, "Could not execute '#{command}': command not found" if on_fail == :raise

        on_fail
      end

      # The output of a command line and what it wrote to standard error.
      def execute_command(command, on_fail = nil, logger = nil, timeout = nil)
        begin
          output, errors = Execution.capture(command.to_s, timeout || LIMIT, on_fail)
          (logger || Log.new).debug("Command #{command} wrote to standard error: #{errors.strip}") if errors != ''
        rescue StandardError => e
          return Execution.failed("Failed while executing '#{command}': #{e.message}", on_fail, logger)
        end
        [output.strip, errors]
      end
    end

    class << Execution
      def limit_of(options)
        unknown = options.keys - Execution::OPTIONS
        if unknown.any?
          Log.new.warn("Unexpected key passed to Facter::Core::Execution.execute option: #{unknown.join(',')} - " \
                       "valid keys: #{Execution::OPTIONS.join(',')}")
        end
        seconds = (options[:timeout] || options[:time_limit] || options[:limit]).to_i
        seconds.positive? ? seconds : nil
      end

      def builtin?(command)
        require 'open3'
        Open3.capture2("type #{command}").first.chomp.match?(/builtin/)
      end

      def failed(message, on_fail, logger)
        if logger
          logger.debug(message)
          return ''
        end
        raise Execution::ExecutionFailure, message if on_fail == :raise

        on_fail
      end

      # Run a command line to its end; `$?` has its status. It is killed after some seconds.
      def capture(command, seconds, on_fail)
        output, errors = +'', +''
        started(command) do |pid, readers|
          Timeout.timeout(seconds) do
            output << readers[0].value
            errors << readers[1].value
          end
        rescue Timeout::Error
          Process.kill('KILL', pid)
          raise "Timeout encounter after #{seconds}s, killing process with pid: #{pid}" if on_fail == :raise
        end
        [output, errors]
      end

      private

      def started(command)
        pipes = [IO.pipe, IO.pipe]
        pid = spawn(Execution::C_LOCALE, command, in: File::NULL, out: pipes[0][1], err: pipes[1][1])
        pipes.each { |_, writer| writer.close }
        readers = pipes.map { |reader, _| Thread.new { reader.read } }
        yield pid, readers
      ensure
        readers&.each(&:kill)
        pipes.flatten.each(&:close)
        Process.wait(pid) if pid
      end
    end
  end
end
