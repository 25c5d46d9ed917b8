# frozen_string_literal: true

module Facter
  # The messages of facts. Warnings and errors are reported with the fact that logs them.
  class Log
    @once = {}
    @listener = nil
    @debugging = false

    class << self
      attr_accessor :debugging, :listener
      attr_reader :once
    end

    def initialize(*); end

    def debug(text)
      tell(:debug, text) if Log.debugging
    end

    def info(text)
      tell(:info, text)
    end

    def warn(text)
      Progress.message(text)
      tell(:warn, text)
    end

    def error(text, _colorize = false)
      Progress.message(text)
      tell(:error, text)
    end

    def debugonce(text)
      debug(text.to_s) if Log.debugging && first?(:debug, text)
    end

    def warnonce(text)
      warn(text.to_s) if first?(:warn, text)
    end

    def log_exception(exception)
      error(exception.message)
    end

    private

    def tell(level, text)
      Log.listener&.call(level, text)
      nil
    end

    def first?(level, text)
      key = [level, text.to_s]
      !Log.once.include?(key) && Log.once[key] = true
    end
  end
end
