"""The resource type ``debconf``."""
