"""The resource type ``exec``: commands, and the conditions under which they run."""
