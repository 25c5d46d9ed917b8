"""The resource type ``firewalld_port``."""
