"""The resource type ``docker_compose``."""
