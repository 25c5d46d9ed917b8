"""The resource type ``docker_stack``."""
