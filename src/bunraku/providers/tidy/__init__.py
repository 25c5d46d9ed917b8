"""The resource type ``tidy``: removal of files by age, size or name."""
