# frozen_string_literal: true

require 'spec_helper'

describe 'Things::Port' do
  it { is_expected.to allow_values(1, 80, 65_535) }
  it { is_expected.not_to allow_values(0, 65_536) }
  it { is_expected.not_to allow_value('80') }
  it { is_expected.not_to allow_value(:undef) }
  it { is_expected.to allow_value(0) }
end
