# frozen_string_literal: true

require 'spec_helper'

describe 'web.example.com' do
  let(:pre_condition) { 'node "web.example.com" { file { "/${facts[networking][hostname]}": } } node default { fail("no") }' }

  it { is_expected.to contain_file('/web') }
  it { is_expected.to contain_node('web.example.com') }

  context 'as another node' do
    let(:node) { 'db.example.com' }

    it { is_expected.to compile.and_raise_error(/no/) }
  end
end
