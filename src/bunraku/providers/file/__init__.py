"""The resource type ``file``: files, directories and links."""
