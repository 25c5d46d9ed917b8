"""The resource type ``concat_file``."""
