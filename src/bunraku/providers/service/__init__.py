"""The resource type ``service``: services that run in the background or start at boot."""
