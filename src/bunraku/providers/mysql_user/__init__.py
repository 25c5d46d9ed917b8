"""The resource type ``mysql_user``."""
