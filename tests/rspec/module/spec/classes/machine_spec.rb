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
end
