# frozen_string_literal: true

require_relative 'lib/bunraku/rspec/version'

Gem::Specification.new do |spec|
  spec.name = 'bunraku-rspec'
  spec.version = Bunraku::RSpec::VERSION
  spec.summary = 'Runs rspec-puppet suites on bunraku'
  spec.description = 'Compiles the catalogs of rspec-puppet examples with bunraku instead of Puppet. The specs stay unchanged.'
  spec.authors = ['The bunraku authors']
  spec.license = 'Apache-2.0'
  spec.files = Dir['lib/**/*.rb', base: __dir__]
  spec.required_ruby_version = '>= 2.7'
  spec.add_dependency 'puppet', '>= 7.0'
  spec.add_dependency 'rspec-puppet', '>= 2.9'
end
