"""The foundation of all other packages, independent of Puppet."""
