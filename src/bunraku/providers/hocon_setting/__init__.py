"""The resource type ``hocon_setting``."""
