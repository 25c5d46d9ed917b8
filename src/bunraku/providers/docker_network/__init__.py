"""The resource type ``docker_network``."""
