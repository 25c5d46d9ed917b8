"""The resource type ``loginctl_user``."""
