"""The provider of ``package_mask``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.portage_files import DIRECTORY, PortageLines


class MaskedPackages(PortageLines):
    """Manages the files below ``/etc/portage/package.mask``."""

    default_target = f"{DIRECTORY}/package.mask/default"
    properties: ClassVar[frozenset[str]] = frozenset()


provider = MaskedPackages
