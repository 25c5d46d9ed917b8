"""Python packages, by ``pip3``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.package.pip import Pip


class Pip3(Pip):
    """Installs packages with ``pip3``."""

    name = "pip3"
    commands: ClassVar[tuple[str, ...]] = ("pip3",)


provider = Pip3
