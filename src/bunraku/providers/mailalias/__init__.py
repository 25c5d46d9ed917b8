"""The resource type ``mailalias``."""
