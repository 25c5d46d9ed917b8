"""The resource type ``selinux_fcontext_equivalence``."""
