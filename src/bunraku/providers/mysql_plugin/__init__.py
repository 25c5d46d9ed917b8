"""The resource type ``mysql_plugin``."""
