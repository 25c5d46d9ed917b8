"""The resource type ``package``: the installed packages and their versions."""
