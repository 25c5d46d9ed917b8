"""The resource type ``package_unmask`` of the module portage: lines in ``/etc/portage/package.unmask``."""
