"""The resource type ``package_mask`` of the module portage: lines in ``/etc/portage/package.mask``."""
