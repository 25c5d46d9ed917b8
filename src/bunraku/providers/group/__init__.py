"""The resource type ``group``."""
