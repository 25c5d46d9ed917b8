"""The resource type ``resources``."""
