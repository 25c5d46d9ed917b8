# frozen_string_literal: true

# Puppet as facts see it in an agent: its settings are read. This directory is the first in Ruby's load path
# until a fact requires Puppet or names its constant.
$LOAD_PATH.delete(__dir__)
require 'puppet'
Puppet.initialize_settings
