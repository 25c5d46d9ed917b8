"""The provider of ``package_accept_keywords``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.portage_files import DIRECTORY, PortageLines


class AcceptedKeywords(PortageLines):
    """Manages the files below ``/etc/portage/package.accept_keywords``."""

    default_target = f"{DIRECTORY}/package.accept_keywords/default"
    properties: ClassVar[frozenset[str]] = frozenset({"accept_keywords"})
    words = "accept_keywords"


provider = AcceptedKeywords
