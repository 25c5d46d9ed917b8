"""The resource type ``firewalld_ipset``."""
