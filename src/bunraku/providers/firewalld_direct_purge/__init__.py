"""The resource type ``firewalld_direct_purge``."""
