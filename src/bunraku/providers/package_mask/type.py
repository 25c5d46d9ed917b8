"""The resource type ``package_mask``."""

from __future__ import annotations

from bunraku.providers.portage_files import PortageType, portage_attributes


class PackageMask(PortageType):
    """Packages of Gentoo that are not installed."""

    name = "package_mask"
    attributes = portage_attributes("package.mask")


resource_type = PackageMask
