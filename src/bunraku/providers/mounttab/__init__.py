"""The resource type ``mounttab``."""
