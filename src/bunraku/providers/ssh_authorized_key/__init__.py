"""The resource type ``ssh_authorized_key``."""
