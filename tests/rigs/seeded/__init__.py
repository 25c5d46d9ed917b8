"""A control repository of 30 nodes, and changes of it: mistakes that ci must find, and harmless ones."""
