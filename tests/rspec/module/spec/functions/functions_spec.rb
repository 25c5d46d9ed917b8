# frozen_string_literal: true

require 'spec_helper'

describe 'things::joined' do
  it { is_expected.to run.with_params(%w[a b]).and_return('a+b') }
  it { is_expected.to run.with_params(1).and_raise_error(ArgumentError, /expects an Array value/) }
  it { is_expected.to run.with_params([]).and_return('other') }
end

describe 'things::double' do
  it { is_expected.to run.with_params(2).and_return(4) }
  it { is_expected.to run.with_params('x').and_raise_error(ArgumentError, /expects an Integer value, got String/) }
end

describe 'things_old' do
  it { is_expected.to run.with_params.and_raise_error(Puppet::ParseError, /one argument/) }

  context 'with a class in the catalogue' do
    let(:pre_condition) { 'class { "things": owner => "me" }' }

    it { is_expected.to run.with_params('!').and_return('me!') }
    it { expect(catalogue).to contain_file('/etc/things') }
  end
end

describe 'split' do
  it { is_expected.to run.with_params('a,b', ',').and_return(%w[a b]) }
  it { expect(subject.execute('a-b', '-')).to eq(%w[a b]) }
end
