"""The provider of ``package_unmask``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.portage_files import DIRECTORY, PortageLines


class UnmaskedPackages(PortageLines):
    """Manages the files below ``/etc/portage/package.unmask``."""

    default_target = f"{DIRECTORY}/package.unmask/default"
    properties: ClassVar[frozenset[str]] = frozenset()


provider = UnmaskedPackages
