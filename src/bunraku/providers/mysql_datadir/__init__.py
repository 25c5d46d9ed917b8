"""The resource type ``mysql_datadir``."""
