"""The resource type ``firewalld_rich_rule``."""
