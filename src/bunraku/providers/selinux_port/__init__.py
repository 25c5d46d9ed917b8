"""The resource type ``selinux_port``."""
