"""The host for checking a catalog without a machine."""

from __future__ import annotations

from typing import NoReturn, cast

from bunraku.world.host import Host


class MachineUnknown(Exception):
    """A check depends on the machine, but there is none. The check is skipped."""


class Unanswering:
    """A machine about which nothing is known: every attribute raises MachineUnknown."""

    def __getattr__(self, name: str) -> NoReturn:
        raise MachineUnknown(name)


def unknown_host() -> Host:
    """Return a host whose methods all raise MachineUnknown."""
    return cast("Host", Unanswering())
