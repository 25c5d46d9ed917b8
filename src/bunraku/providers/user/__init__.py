"""The resource type ``user``."""
