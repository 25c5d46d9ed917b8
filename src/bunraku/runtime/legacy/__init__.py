"""How Puppet 3 itself runs what its own parser reads: values, operators, scopes, resources."""
