"""The resource type ``sshkey``."""
