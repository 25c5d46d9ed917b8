"""The resource type ``tidy``: files that are removed by age, size or name."""
