"""The resource type ``alternative_entry``."""
