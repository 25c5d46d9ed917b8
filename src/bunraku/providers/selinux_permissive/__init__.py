"""The resource type ``selinux_permissive``."""
