"""RPM packages from repositories, by ``dnf``."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.package.yum import Yum


class Dnf(Yum):
    """Installs packages of the repositories."""

    name = "dnf"
    program: ClassVar[str] = "dnf"
    programs: ClassVar[tuple[str, ...]] = ("dnf", "rpm")
    update_action: ClassVar[str] = "upgrade"
    error_level: ClassVar[str] = "1"


provider = Dnf
