"""The resource type ``firewallchain``."""
