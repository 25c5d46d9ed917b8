"""The resource type ``firewall``."""
