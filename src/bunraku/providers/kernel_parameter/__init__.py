"""The resource type ``kernel_parameter``."""
