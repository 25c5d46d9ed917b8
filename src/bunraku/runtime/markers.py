"""Markers for the absence of a value, where undef is a value, too."""

from __future__ import annotations


class Marker:
    """A value that differs from all values of Puppet."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


UNSET = Marker("UNSET")
MISSING = Marker("MISSING")
