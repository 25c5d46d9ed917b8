"""The resource type ``package_use`` of the module portage: lines in ``/etc/portage/package.use``."""
