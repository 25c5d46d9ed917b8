"""The resource type ``anchor`` of the module stdlib."""
