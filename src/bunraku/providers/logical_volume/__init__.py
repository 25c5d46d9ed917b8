"""The resource type ``logical_volume``."""
