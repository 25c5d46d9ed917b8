"""The provider of ``package_env``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.portage_files import DIRECTORY, PortageLines


class Environments(PortageLines):
    """Manages the files below ``/etc/portage/package.env``."""

    default_target = f"{DIRECTORY}/package.env/default"
    properties: ClassVar[frozenset[str]] = frozenset({"env"})
    words = "env"


provider = Environments
