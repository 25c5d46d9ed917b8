"""The resource type ``cron``."""
