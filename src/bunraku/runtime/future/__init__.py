"""What ``parser = future`` of Puppet 3.8 does otherwise than Puppet 8."""
