"""What all other parts stand on and that knows nothing of Puppet."""
