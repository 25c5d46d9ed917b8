"""The resource type ``package_keywords`` of the module portage: lines in ``/etc/portage/package.keywords``."""
