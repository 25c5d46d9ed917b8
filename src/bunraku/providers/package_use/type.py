"""The resource type ``package_use``."""

from __future__ import annotations

from bunraku.providers.portage_files import PortageType, WordList, portage_attributes


class PackageUse(PortageType):
    """Use flags of packages of Gentoo."""

    name = "package_use"
    attributes = portage_attributes(
        "package.use",
        WordList("use", what="Use flag", about="The use flags; a hyphen before one turns it off."),
    )


resource_type = PackageUse
