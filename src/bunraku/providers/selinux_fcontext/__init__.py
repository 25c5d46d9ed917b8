"""The resource type ``selinux_fcontext``."""
