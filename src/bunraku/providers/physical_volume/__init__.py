"""The resource type ``physical_volume``."""
