"""The resource type ``filebucket``: where replaced files are kept."""
