"""The resource type ``schedule``: the times at which resources are applied."""
