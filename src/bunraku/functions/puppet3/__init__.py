"""The functions that Puppet 3 itself brings, as Puppet 3 has them (dialects 3.0, 3.8, 3.8-future)."""
