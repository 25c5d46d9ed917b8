"""The resource type ``package_env`` of the module portage: lines in ``/etc/portage/package.env``."""
