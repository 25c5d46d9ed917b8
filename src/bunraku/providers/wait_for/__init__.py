"""The resource type ``wait_for`` of the module wait_for: commands that must succeed some time."""
