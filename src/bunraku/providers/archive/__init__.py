"""The resource type ``archive`` of the module archive: downloads that can be extracted."""
