"""The resource type ``grafana_plugin``."""
