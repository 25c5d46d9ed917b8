"""The resource type ``filebucket``: backups of replaced files."""
