"""The resource type ``reboot_notify``."""
