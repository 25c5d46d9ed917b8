"""The resource type ``concat_fragment``."""
