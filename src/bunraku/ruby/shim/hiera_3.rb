# frozen_string_literal: true

# What code that was written for Hiera 3 uses: its log and its errors.
class Hiera
  VERSION = '3.12.0'
  class Error < StandardError; end
  class InvalidConfigurationError < Error; end
  class InterpolationLoop < Error; end

  class << self
    attr_accessor :logger

    def version
      VERSION
    end

    def debug(text)
      Puppet.debug("hiera(): #{text}")
      nil
    end

    def warn(text)
      Puppet.notice("hiera(): #{text}")
      nil
    end
  end
end
