"""The resource type ``firewalld_zone``."""
