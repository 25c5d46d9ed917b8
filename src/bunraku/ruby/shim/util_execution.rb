# frozen_string_literal: true

module Puppet
  module Util
    # Running programs.
    module Execution
      # What a program wrote, and how it ended.
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, status)
          super(text)
          @exitstatus = status
        end
      end

      # The options when none are given: a failure is then an error.
      NoOptionsSpecified = {}.freeze

      LOCALE = %w[LANG LC_ALL LC_MESSAGES LANGUAGE LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME].freeze
      USER = %w[HOME USER LOGNAME].freeze

      class << self
        def execute(command, options = NoOptionsSpecified)
          checked = options.equal?(NoOptionsSpecified)
          fails = options.fetch(:failonfail, checked)
          command = command.flatten.map(&:to_s) if command.is_a?(Array)
          text, status = run(command, options, options.fetch(:combine, checked))
          raise Puppet::ExecutionFailure, "Execution of '#{shown(command, options)}' returned #{status}: #{text.strip}" if fails && status != 0

          ProcessOutput.new(text, status)
        end
        alias util_execute execute

        def execpipe(command, failonfail = true)
          text = command.is_a?(Array) ? command.flatten.map(&:to_s).join(' ') : command
          found = nil
          read = IO.popen(text, err: %i[child out]) do |pipe|
            output = pipe.read
            found = output
            yield StringIO.new(output)
          end
          raise Puppet::ExecutionFailure, found if failonfail && !$?.success?

          read
        end

        def ruby_path
          RbConfig.ruby
        end

        private

        def shown(command, options)
          return '[redacted]' if options[:sensitive]

          command.is_a?(Array) ? command.join(' ') : command
        end

        def run(command, options, combine)
          run = command.is_a?(Array) ? [[command[0], command[0]], *command.drop(1)] : ['/bin/sh', '-c', command]
          settings = { err: combine ? %i[child out] : File::NULL, in: options[:stdinfile] || File::NULL }
          settings[:chdir] = options[:cwd] if options[:cwd]
          text = IO.popen(environment(options), run, settings, &:read)
          [text, $?.exitstatus || 1]
        rescue SystemCallError => e
          [e.message, 1]
        end

        # A plain locale, and nothing of the user, as Puppet has it.
        def environment(options)
          given = {}
          LOCALE.each { |name| given[name] = nil } if options.fetch(:override_locale, true)
          given.update('LANG' => 'C', 'LC_ALL' => 'C') if options.fetch(:override_locale, true)
          USER.each { |name| given[name] = nil }
          (options[:custom_environment] || {}).each { |name, value| given[name.to_s] = value }
          given
        end
      end

      private

      def execute(command, options = NoOptionsSpecified)
        Execution.execute(command, options)
      end

      def execpipe(command, failonfail = true, &block)
        Execution.execpipe(command, failonfail, &block)
      end
    end
  end
end
