"""The resource type ``sysctl_runtime``."""
