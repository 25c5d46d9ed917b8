# frozen_string_literal: true

# puppetlabs_spec_helper of Debian cannot load rspec-puppet 5.
require ENV.fetch('SPEC_HELPER', 'puppetlabs_spec_helper/module_spec_helper')

RSpec.configure do |c|
  c.mock_with :rspec
  c.environmentpath = File.join(Dir.pwd, 'spec')
  c.module_path = File.join(Dir.pwd, 'spec', 'fixtures', 'modules')
  c.strict_variables = true
  c.default_facts = { 'os' => { 'family' => 'Debian', 'name' => 'Debian' } }
  c.default_trusted_facts = { 'pp_role' => 'base' }
  c.after(:suite) { RSpec::Puppet::Coverage.report! }
end
