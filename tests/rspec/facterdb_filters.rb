# frozen_string_literal: true

# Prints, for each filter of FacterDB, whether the searches of the gem find what jgrep finds, and how many fact sets.

require 'facterdb'
require 'bunraku/rspec/fact_sets'
require 'bunraku/rspec/speed'

FILTERS = [
  { 'operatingsystem' => 'Debian', 'operatingsystemrelease' => '/^11/', 'hardwaremodel' => 'x86_64' },
  { 'operatingsystem' => 'Debian', 'operatingsystemrelease' => '/^10/', 'hardwaremodel' => 'x86_64' },
  { 'os.name' => 'RedHat', 'os.release.major' => '8' },
  [{ 'osfamily' => 'Archlinux' }, { 'osfamily' => 'Gentoo' }],
  'is_virtual=true and processorcount=1 and facterversion=/^3\./',
  'processorcount>1 and osfamily=Debian',
  'osfamily=Debian and not operatingsystem=Ubuntu',
  'operatingsystem=Nothing'
].freeze

def found
  FILTERS.map { |filter| FacterDB.get_facts(filter) }
end

plain = found
JGrep.singleton_class.prepend(Bunraku::RSpec::Speed::Search)
Bunraku::RSpec::FactSets.install
3.times { FILTERS.zip(plain, found) { |filter, one, other| puts "#{one == other} #{one.size} #{filter}" } }
