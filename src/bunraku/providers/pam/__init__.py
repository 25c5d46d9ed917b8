"""The resource type ``pam``."""
