"""The resource type ``postgresql_psql``."""
