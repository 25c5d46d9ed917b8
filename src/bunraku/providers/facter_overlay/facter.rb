# Loads the installed Facter on the first use of its name, and lets the facts of the run come first.
$LOAD_PATH.delete(__dir__)
require 'facter'
Facter.singleton_class.prepend(FactsOfRun::Overlay)
FactsOfRun.search_modules
