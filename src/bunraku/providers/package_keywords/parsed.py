"""The provider of ``package_keywords``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.portage_files import DIRECTORY, PortageLines


class Keywords(PortageLines):
    """Manages the files below ``/etc/portage/package.keywords``."""

    default_target = f"{DIRECTORY}/package.keywords/default"
    properties: ClassVar[frozenset[str]] = frozenset({"keywords"})
    words = "keywords"


provider = Keywords
