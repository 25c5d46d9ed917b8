"""The resource type ``sysctl``."""
