# frozen_string_literal: true

module Bunraku
  module RSpec
    VERSION = '0.1.0'
  end
end
