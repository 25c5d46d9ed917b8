"""The deprecated name of the provider for Linux."""

from __future__ import annotations

from typing import Any

from bunraku.providers.reboot.posix import Posix


class Linux(Posix):
    """The provider ``posix`` under its old name."""

    name = "linux"

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.run.log(
            "warning",
            "The 'linux' reboot provider is deprecated and will be removed; use 'posix' instead.",
        )


provider = Linux
