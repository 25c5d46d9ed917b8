# frozen_string_literal: true

module Puppet
  module Util
    # Raising errors with a place.
    module Errors
      def fail(*arguments)
        kind = arguments[0].is_a?(Class) ? arguments.shift : Puppet::Error
        raise adderrorcontext(kind.new(arguments.join(' ')))
      end

      def devfail(message)
        raise Puppet::DevError, message
      end

      def adderrorcontext(error, other = nil)
        error.line ||= line if error.respond_to?(:line=) && respond_to?(:line) && line
        error.file ||= file if error.respond_to?(:file=) && respond_to?(:file) && file
        error.original ||= other if error.respond_to?(:original=)
        error.set_backtrace(other.backtrace) if other.respond_to?(:backtrace) && other.backtrace
        error
      end

      def self.error_location(file, line = nil, column = nil)
        parts = { file: file, line: line, column: column }.compact
        parts.empty? ? '' : "(#{parts.map { |name, value| "#{name}: #{value}" }.join(', ')})"
      end

      def self.error_location_with_unknowns(file, line)
        error_location(file || 'unknown', line || 'unknown')
      end

      def self.error_location_with_space(file, line = nil, column = nil)
        text = error_location(file, line, column)
        text.empty? ? '' : " #{text}"
      end

      def error_context
        place = Errors.error_location(respond_to?(:file) ? file : nil, respond_to?(:line) ? line : nil)
        place.empty? ? '' : " #{place}"
      end

      def exceptwrap(options = {})
        yield
      rescue Puppet::Error => e
        raise adderrorcontext(e)
      rescue StandardError => e
        raise adderrorcontext((options[:type] || Puppet::DevError).new(options[:message] || e.message), e)
      end
    end
  end
end
