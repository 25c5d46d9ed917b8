# frozen_string_literal: true

# Facter's interface for custom facts, with the behaviour of Facter 4.3. The facts of the machine itself
# come from bunraku: `Facter::Machine` has them.
require 'date'
require 'timeout'

# What custom facts use.
module Facter
  VERSION = '4.3.0'

  # The resolution of a custom fact raised an error, which is reported.
  class ResolveCustomFactError < StandardError; end
end

require_relative 'bunraku_facter/progress'
require_relative 'bunraku_facter/log'
require_relative 'bunraku_facter/files'
require_relative 'bunraku_facter/values'
require_relative 'bunraku_facter/execution'
require_relative 'bunraku_facter/resolution'
require_relative 'bunraku_facter/aggregate'
require_relative 'bunraku_facter/fact'
require_relative 'bunraku_facter/collection'
require_relative 'bunraku_facter/loader'
require_relative 'bunraku_facter/machine'
require_relative 'bunraku_facter/interface'
