# frozen_string_literal: true

require 'spec_helper'

describe 'things::entry' do
  let(:title) { "it's" }
  let(:params) { { port: 8080 } }

  it { is_expected.to compile }
  it { is_expected.to contain_file("/etc/things/it's").with_content(/\Aport 8080$/) }
  it { is_expected.to contain_things__entry("it's").with(port: 8080, options: {}) }

  context 'with several titles' do
    let(:title) { %w[a b] }

    it { is_expected.to have_things__entry_resource_count(2) }
  end
end
