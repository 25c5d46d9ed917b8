"""The resource type ``ssh_config``."""
