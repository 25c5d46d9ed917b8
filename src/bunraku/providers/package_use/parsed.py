"""The provider of ``package_use``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.portage_files import DIRECTORY, PortageLines


class UseFlags(PortageLines):
    """Manages the files below ``/etc/portage/package.use``."""

    default_target = f"{DIRECTORY}/package.use/default"
    properties: ClassVar[frozenset[str]] = frozenset({"use"})
    words = "use"


provider = UseFlags
