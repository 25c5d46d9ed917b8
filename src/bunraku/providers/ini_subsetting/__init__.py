"""The resource type ``ini_subsetting``."""
