"""The resource type ``mysql_database``."""
