"""The resource type ``shellvar``."""
