"""The resource type ``alternatives``."""
