"""The resource type ``selinux_login``."""
