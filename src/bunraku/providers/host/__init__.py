"""The resource type ``host``."""
