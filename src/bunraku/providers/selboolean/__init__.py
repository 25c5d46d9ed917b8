"""The resource type ``selboolean``."""
