"""The resource type ``package_env``."""

from __future__ import annotations

from bunraku.providers.portage_files import PortageType, WordList, portage_attributes


class PackageEnv(PortageType):
    """Files of variables with which packages of Gentoo are built."""

    name = "package_env"
    attributes = portage_attributes(
        "package.env",
        WordList("env", about="The names of files with variables, in `/etc/portage/env`."),
    )


resource_type = PackageEnv
