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

  context 'with a function of the new kind' do
    let(:pre_condition) { 'node default { notify { stubbed_by_spec("a"): } }' }

    before do
      loader = Puppet.lookup(:loaders).private_environment_loader
      stub = Puppet::Functions.create_function(:stubbed_by_spec) do
        def stubbed_by_spec(text)
          "new #{text}"
        end
      end
      name = Puppet::Pops::Loader::TypedName.new(:function, 'stubbed_by_spec')
      loader.set_entry(name, stub.new(nil, loader))
    end

    it { is_expected.to contain_notify('new a') }
  end
end
