"""The resource type ``mysql_grant``."""
