"""The resource type ``postgresql_replication_slot``."""
