"""The resource type ``firewalld_policy``."""
