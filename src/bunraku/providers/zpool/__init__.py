"""The resource type ``zpool``."""
