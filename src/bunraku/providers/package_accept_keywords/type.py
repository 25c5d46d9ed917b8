"""The resource type ``package_accept_keywords``."""

from __future__ import annotations

from bunraku.providers.portage_files import PortageType, WordList, portage_attributes


class PackageAcceptKeywords(PortageType):
    """Keywords with which packages of Gentoo are accepted."""

    name = "package_accept_keywords"
    attributes = portage_attributes(
        "package.accept_keywords",
        WordList("accept_keywords", what="Keyword", about="The keywords, such as `~amd64`."),
    )


resource_type = PackageAcceptKeywords
