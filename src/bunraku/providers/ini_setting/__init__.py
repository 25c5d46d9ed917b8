"""The resource type ``ini_setting``."""
