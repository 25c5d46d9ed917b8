# frozen_string_literal: true

module Puppet
  module Util
    # A message that was logged, as the methods that log return it.
    class Log
      LEVELS = %i[debug info notice warning err alert emerg crit].freeze
      attr_reader :level, :message, :source

      class << self
        # Puppet as bunraku runs it logs all but debug messages.
        def level
          :info
        end

        def levels
          LEVELS.dup
        end

        def eachlevel(&block)
          LEVELS.each(&block)
        end

        def validlevel?(level)
          LEVELS.include?(level)
        end

        def sendlevel?(level)
          LEVELS.index(level) >= LEVELS.index(:info)
        end

        def create(data)
          level = data.fetch(:level).to_sym
          return nil unless sendlevel?(level)

          source = data[:source] || 'Puppet'
          scope = source.is_a?(Puppet::Parser::Scope) ? source.bunraku_id : nil
          Bunraku.ask('log', level.to_s, Bunraku.encode(data.fetch(:message).to_s), *scope)
          new(level, data[:message].to_s, source.to_s)
        end
      end

      def initialize(level, message, source)
        @level = level
        @message = message
        @source = source
      end

      def to_s
        message
      end
    end

    # Logging as methods.
    module Logging
      def send_log(level, message)
        Log.create(level: level, source: log_source, message: message)
      end

      Log.levels.each do |level|
        define_method(level) do |*messages, &block|
          messages << block.call if block
          send_log(level, messages.join(' '))
        end
      end

      def log_exception(error, message = :default, options = {})
        text = message == :default || message.nil? ? error.message : message.to_s
        send_log(options[:level] || :err, text)
      end

      def log_and_raise(error, message)
        log_exception(error, message)
        raise error, "#{message}\n#{error}", error.backtrace
      end

      def format_exception(error, message = :default, _trace = true)
        message == :default ? error.message : message
      end

      def deprecation_warning(message, key = :default)
        key = message if key == :default
        return nil if Logging.bunraku_said?(['deprecation', key.to_s])

        Puppet.send_log(:warning, "#{message}\n   (location: #{Logging.bunraku_caller_text || 'unknown'})")
      end

      def puppet_deprecation_warning(message, options = {})
        key = options[:key] || message
        return nil if Logging.bunraku_said?(['deprecation', key.to_s])

        Puppet.send_log(:warning, "#{message}\n   (file: #{options[:file] || 'unknown'}, line: #{options[:line] || 'unknown'})")
      end

      def warn_once(kind, key, message, file = nil, line = nil, level = :warning)
        return if Logging.bunraku_said?([kind.to_s, key.to_s])

        given = [file, line].map { |item| item == :default ? nil : item }
        place = Errors.error_location(*given)
        Puppet.send_log(level, "#{message}\n   #{place.empty? ? '(file & line not available)' : place}")
      end

      # Messages that come once in a compile.
      class << self
        def bunraku_said?(key)
          said = Bunraku.known('said once') { {} }
          said.key?(key) || !(said[key] = true)
        end

        # The place of the code that calls, as a line of a backtrace.
        def bunraku_caller_text
          caller.find { |place| Bunraku::OWN.none? { |folder| place.start_with?(folder) } }
        end
      end

      private

      def log_source
        is_a?(Puppet::Parser::Scope) ? self : 'Puppet'
      end
    end

    # Messages that come once.
    module Warnings
      { warnonce: :warning, debug_once: :debug, notice_once: :notice }.each do |name, level|
        define_method(name) { |message| Warnings.bunraku_once(level, message) }
        module_function name
      end

      def clear_warnings
        nil
      end
      module_function :clear_warnings

      def self.bunraku_once(level, message)
        Puppet.send_log(level, message) unless Logging.bunraku_said?([level.to_s, message])
        nil
      end
    end
  end
end
