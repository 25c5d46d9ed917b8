"""The resource type ``package_unmask``."""

from __future__ import annotations

from bunraku.providers.portage_files import PortageType, portage_attributes


class PackageUnmask(PortageType):
    """Packages of Gentoo that are installed although others mask them."""

    name = "package_unmask"
    attributes = portage_attributes("package.unmask")


resource_type = PackageUnmask
