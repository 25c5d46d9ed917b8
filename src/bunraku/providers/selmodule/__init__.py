"""The resource type ``selmodule``."""
