"""The resource type ``sshd_config_subsystem``."""
