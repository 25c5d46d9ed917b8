"""The resource type ``zfs``."""
