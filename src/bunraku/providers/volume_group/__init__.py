"""The resource type ``volume_group``."""
