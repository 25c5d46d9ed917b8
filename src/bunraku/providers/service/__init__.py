"""The resource type ``service``: what runs in the background, and what starts at boot."""
