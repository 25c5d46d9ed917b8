"""The resource type ``firewalld_service``."""
