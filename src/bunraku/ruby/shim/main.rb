# frozen_string_literal: true

# The Ruby end of bunraku's bridge: renders ERB templates and runs functions that modules carry in
# Ruby. It speaks frames of JSON (four bytes of length, then the text) on standard input and output;
# bridge_process.py is the other end. Nothing of Puppet needs to be installed.

ENV['LC_ALL'] ||= 'C.UTF-8'
Encoding.default_external = Encoding::UTF_8
Encoding.default_internal = nil

require 'json'
require 'rbconfig'

%w[standard shared wire limits objects values puppet scope templates functions old_functions hiera installed loading keeping].each { |part| require_relative part }

Bunraku.run
