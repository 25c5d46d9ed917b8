# frozen_string_literal: true

require 'spec_helper'

describe 'things::stubbed' do
  context 'with a function of the spec' do
    before do
      Puppet::Parser::Functions.newfunction(:stubbed_by_spec, type: :rvalue) { |arguments| "stub #{arguments[0]}" }
    end

    it { is_expected.to contain_notify('stub a') }
  end

  context 'with a function in a precondition' do
    let(:pre_condition) { 'function stubbed_by_spec($text) { "puppet ${text}" }' }

    it { is_expected.to contain_notify('puppet a') }
  end

  context 'with a stubbed object' do
    let(:pre_condition) { 'function stubbed_by_spec($text) { file("things/none") }' }

    before { allow(Puppet::Parser::Files).to receive(:find_file).and_return(File.expand_path('../fixtures/text', __dir__)) }

    it { is_expected.to contain_notify("text of the fixture\n") }
  end

  context 'with stubbed instances' do
    let(:pre_condition) { 'function stubbed_by_spec($text) { $text }' }

    before { allow_any_instance_of(Puppet::Parser::Scope).to receive(:lookupvar).and_return('x') }

    it { is_expected.to contain_notify('x') }
  end

  context 'without the function' do
    let(:facts) { { 'other' => 'catalogue' } }

    it { is_expected.to compile.and_raise_error(/Unknown function: 'stubbed_by_spec'/) }
  end
end
