"""The resource type ``reboot``."""
