"""The resource type ``postgresql_conf``."""
