"""The resource type ``package_keywords``."""

from __future__ import annotations

from bunraku.providers.portage_files import PortageType, WordList, portage_attributes


class PackageKeywords(PortageType):
    """Accepted keywords of Gentoo packages, in the files that older Portage releases read."""

    name = "package_keywords"
    attributes = portage_attributes(
        "package.keywords",
        WordList("keywords", what="Keyword", about="The keywords, such as `~amd64`."),
    )


resource_type = PackageKeywords
