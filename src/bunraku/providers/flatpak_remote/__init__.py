"""The resource type ``flatpak_remote``: the places from which ``flatpak`` installs."""
