"""The resource type ``mount``."""
