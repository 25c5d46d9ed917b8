"""The resource type ``flatpak``: applications that ``flatpak`` installs."""
