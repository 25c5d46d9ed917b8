"""A site in one directory: its files, its units for systemd, backup and restore."""
