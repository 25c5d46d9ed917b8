"""The resource type ``filesystem``."""
