# frozen_string_literal: true

require 'spec_helper'

describe 'things::broken' do
  {
    'fail' => /Evaluation Error: Error while evaluating a Function Call, cannot work on Debian \(file: .*broken\.pp, line: 4, column: 15\) on node/,
    'type' => /parameter 'port' expects a Things::Port = Integer\[1, 65535\] value, got String \(file: .*broken\.pp, line: 5\)/,
    'function' => /Unknown function: 'things::nowhere'/,
    'variable' => /Unknown variable: 'nowhere'/,
    'duplicate' => /Duplicate declaration: Notify\[twice\] is already declared/,
  }.each do |how, message|
    context "with #{how}" do
      let(:params) { { how: how } }

      it { is_expected.to compile.and_raise_error(message) }
      it { is_expected.to raise_error(Puppet::Error, message) }
      it { is_expected.not_to compile }
    end
  end

  context 'with a cycle' do
    let(:params) { { how: 'cycle' } }

    it { is_expected.to compile }
    it { is_expected.not_to compile }
  end

  context 'with a dependency that does not exist' do
    let(:params) { { how: 'missing' } }

    it { is_expected.to compile.with_all_deps }
    it { is_expected.to compile.and_raise_error(/Could not find resource 'Notify\[nowhere\]' in parameter 'require' \(file: .*, line: 10\) on node/) }
  end

  context 'with a syntax error' do
    let(:params) { { how: 'fail' } }
    let(:pre_condition) { '$a = = 1' }

    it { is_expected.to compile.and_raise_error(/Syntax error at '='/) }
    it { is_expected.to compile.and_raise_error(/Could not parse for environment rp_env/) }
  end
end
