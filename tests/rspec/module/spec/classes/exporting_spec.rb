# frozen_string_literal: true

require 'spec_helper'

describe 'things::exporting' do
  it { is_expected.to contain_file('/real') }
  it { is_expected.not_to contain_file('/exported') }
  it { is_expected.not_to contain_file('/virtual') }
  it { expect(exported_resources).to contain_file('/exported').with_content('x') }
  it { expect(exported_resources).not_to contain_file('/real') }
  it { expect(exported_resources).not_to contain_file('/virtual') }
end
