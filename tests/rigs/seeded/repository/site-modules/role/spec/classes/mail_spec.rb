# frozen_string_literal: true

require 'spec_helper'

describe 'role::mail' do
  it { is_expected.to compile }
end
