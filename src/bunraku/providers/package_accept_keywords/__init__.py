"""The resource type ``package_accept_keywords`` of the module portage: lines in ``/etc/portage/package.accept_keywords``."""
