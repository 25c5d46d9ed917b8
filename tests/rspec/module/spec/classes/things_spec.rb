# frozen_string_literal: true

require 'spec_helper'

describe 'things' do
  it { is_expected.to compile.with_all_deps }
  it { is_expected.to contain_class('things::install').that_notifies('Class[things::service]') }
  it { is_expected.to contain_service('things').that_subscribes_to('Package[things-debian]').with_enable(true) }
  it { is_expected.to contain_package('things-debian').only_with(name: 'things-debian', ensure: 'installed', tag: %w[first second]) }
  it { is_expected.to contain_package('things-debian').that_comes_before('Service[things]') }
  it { is_expected.to contain_file('/etc/things').with(owner: 'from_module', ensure: 'directory').without_group }
  it { is_expected.to contain_file('/etc/things/password').with_content(sensitive('none')).that_requires('File[/etc/things]') }
  it { is_expected.to contain_file('/etc/things/all').with_content("port 80\n") }
  it { is_expected.to contain_things__entry('all').with_upper('LATER').with_port(80) }
  it { is_expected.to contain_things_setting('all').with_value(160).that_requires('File[/etc/things]') }
  it { is_expected.to contain_exec('check all').with_command('/bin/true a+b').with_refreshonly(true) }
  it { is_expected.to contain_notify('Debian foo.example.com base rp_env') }
  it { is_expected.not_to contain_file('/nowhere') }
  it { is_expected.to have_resource_count(9) }
  it { is_expected.to have_class_count(3) }
  it { is_expected.to have_file_resource_count(3) }
  it { is_expected.to contain_file('/etc/things').with_path(%r{\A/etc}) }
  it { expect(catalogue.resource('file', '/etc/things')[:owner]).to eq('from_module') }
  it { expect(catalogue.resource('Package[things-debian]').tags.to_a).to include('first', 'things::install') }
  it { expect(catalogue.classes).to include('things', 'things::install') }
  it { expect(exported_resources.call.resources.map(&:ref)).to eq([]) }

  let(:node) { 'foo.example.com' }

  context 'with parameters of all kinds' do
    let(:params) do
      { owner: 'me', group: :undef, password: sensitive("se'cret$x"), before_all: ref('File', '/last'), port: 81,
        options: { 'a' => [1, 2.5, true, nil], 'b' => { 'c' => 'ünï' } } }
    end
    let(:pre_condition) { "file { '/last': }" }
    let(:post_condition) { ['notify { "after ${things::owner}": }', nil] }

    it { is_expected.to compile.with_all_deps }
    it { is_expected.to contain_file('/etc/things').with_owner('me').that_comes_before('File[/last]') }
    it { is_expected.to contain_file('/etc/things/password').with_content(sensitive("se'cret$x")) }
    it { is_expected.to contain_things__entry('all').with_options('a' => [1, 2.5, true, 'nil'], 'b' => { 'c' => 'ünï' }) }
    it { is_expected.to contain_class('things').with_password(sensitive("se'cret$x")).with_group(nil) }
    it { is_expected.to contain_notify('after me') }
    it { is_expected.to contain_file('/etc/things').with_owner('you') }
  end

  context 'with other data of the node' do
    let(:facts) { { os: { family: 'RedHat' }, 'Upper' => 'case', number: 1, list: [nil, { a: 1 }], none: nil } }
    let(:trusted_facts) { { 'pp_role' => 'web' } }
    let(:trusted_external_data) { { pdb: { colour: 'red' } } }
    let(:node_params) { { 'site' => 'home' } }
    let(:environment) { 'testing' }
    let(:post_condition) do
      'notify { "${site} ${upper} ${facts[number]} ${facts[list][1][a]} ${trusted[external][pdb][colour]} ${facts[site]}": } ' \
        'notify { "${facts[list][0] =~ Undef} ${facts[none] =~ Undef} ${$none =~ Undef}": }'
    end

    it { is_expected.to contain_notify('RedHat foo.example.com web testing') }
    it { is_expected.to contain_notify('home case 1 1 red ') }
    it { is_expected.to contain_notify('true true true') }
    it { is_expected.to contain_package('things') }
  end

  context 'with a Hiera configuration' do
    let(:hiera_config) { File.expand_path('../fixtures/hiera/hiera.yaml', __dir__) }

    it { is_expected.to contain_file('/etc/things').with_owner('from_spec') }
  end

  context 'without the data of modules' do
    before { RSpec.configuration.disable_module_hiera = true }
    after { RSpec.configuration.disable_module_hiera = false }

    it { is_expected.to compile.and_raise_error(/expects a value for parameter 'owner'/) }
  end

  context 'with other data of the module' do
    before { RSpec.configuration.fixture_hiera_configs = { 'things' => 'spec/fixtures/hiera/hiera.yaml' } }
    after { RSpec.configuration.fixture_hiera_configs = {} }

    it { is_expected.to contain_file('/etc/things').with_owner('from_spec') }
  end

  context 'with the data of the spec' do
    before { RSpec.configuration.use_fixture_spec_hiera = true }
    after { RSpec.configuration.use_fixture_spec_hiera = false }

    it { is_expected.to contain_file('/etc/things').with_owner('from_spec') }
  end

  context 'with wrong parameters' do
    let(:params) { { owner: 1, nowhere: 2 } }

    it { is_expected.to compile.and_raise_error(/parameter 'owner' expects a String value, got Integer/) }
    it { is_expected.to raise_error(Puppet::PreformattedError, /on node foo\.example\.com/) }
    it { is_expected.to raise_error(Puppet::Error, /has no parameter named 'nowhere'/) }
    it { is_expected.to compile }
  end
end
