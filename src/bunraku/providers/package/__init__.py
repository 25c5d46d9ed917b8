"""The resource type ``package``: what is installed, and in which version."""
