"""The resource type ``sshd_config``."""
