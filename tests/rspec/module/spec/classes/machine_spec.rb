# frozen_string_literal: true

require 'spec_helper'

describe 'things::machine' do
  %w[one two].each do |name|
    context "on #{name}" do
      let(:facts) do
        full = "#{name}.example.org"
        { 'fqdn' => full, 'networking' => { 'fqdn' => full }, 'networking.fqdn' => full }
      end

      it { is_expected.to contain_notify('server').with_message("#{name}.example.org") }
    end
  end

  context 'with a stubbed Facter' do
    before do
      allow(Facter).to receive(:value).and_call_original
      allow(Facter).to receive(:value).with(/\A(networking\.)?fqdn\z/).and_return('stubbed.example.org')
    end

    it { is_expected.to contain_notify('server').with_message('stubbed.example.org') }
  end

  %w[red blue].each do |color|
    context "where the example asks Facter for #{color}" do
      let(:facts) { { color: color, 'Deep' => { list: [{ name: color }] } } }

      it { expect(Facter.value('color')).not_to eq(color) }

      it 'finds the facts of the catalog' do
        catalogue
        expect(Facter.value('color')).to eq(color)
        expect(Facter.value('deep')).to eq('list' => [{ 'name' => color }])
      end
    end
  end

  it 'finds a test for a fact that a later directory has' do
    expect(Puppet::Confine.test(:later)).to be_nil
    $LOAD_PATH << File.expand_path('../fixtures/confine', __dir__)
    expect(Puppet::Confine.test(:later).name).to eq(:later)
  end

  it 'has each provider that Puppet loads among the files that Ruby loaded' do
    Puppet::Type.type(:package)
    file = Puppet::Type.type(:package).provider(:apt).method(:instances).source_location.first
    expect($LOADED_FEATURES).to include(File.expand_path('dpkg.rb', File.dirname(file)), %r{provider/package/apt\.rb\z})
    expect(require('puppet/provider/package/apt')).to be(false)
  end

  it 'has the changes of rspec-puppet in types that Puppet loads' do
    changed = [
      Puppet::Type.type(:file).paramclass(:path).instance_method(:unsafe_munge),
      Puppet::Type.type(:file).provider(:windows).instance_method(:manages_symlinks?),
      Puppet::Type.type(:exec).paramclass(:user).instance_method(:unsafe_validate)
    ]
    expect(changed.map { |one| one.source_location.first }).to all(end_with('rspec-puppet/monkey_patches.rb'))
    expect(Puppet::Type.type(:file).new(path: '/things//etc/')[:path]).to eq('/things//etc/')
  end

  { 'windows' => [';', '\\', false, true], 'Debian' => [':', nil, true, false] }.each do |system, platform|
    2.times do
      context "on #{system}" do
        let(:facts) { { 'os' => { 'name' => system, 'family' => system } } }
        let(:present) { [File::PATH_SEPARATOR, File::ALT_SEPARATOR, Puppet.features.posix?, Puppet.features.microsoft_windows?] }

        it { expect(present).to eq(platform) }

        it 'with another feature' do
          Puppet.features.add(:posix) { :other }
          expect(present).to eq([*platform[0, 2], true, platform.last])
        end
      end
    end
  end
end
