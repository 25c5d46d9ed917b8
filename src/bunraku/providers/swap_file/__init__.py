"""The resource type ``swap_file``."""
