"""The resource type ``apt_key``."""
