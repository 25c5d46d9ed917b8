"""The resource type ``docker_volume``."""
