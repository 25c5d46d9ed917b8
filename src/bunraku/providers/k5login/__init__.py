"""The resource type ``k5login``."""
