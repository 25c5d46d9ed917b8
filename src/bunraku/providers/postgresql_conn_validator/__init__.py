"""The resource type ``postgresql_conn_validator``."""
