"""Explanation of a lookup: the places that were searched, their order and their results.

Hiera calls the methods of an :class:`Explanation`, which records nothing, or of a
:class:`bunraku.hiera.recorder.Recorder`.
"""

from __future__ import annotations

from typing import Any

Value = Any


class Explanation:
    """Has the methods of a recorder, but records nothing."""

    active = False
    options_only = False
    __slots__ = ()

    def enter(self, kind: str, name: str, **details: Value) -> None:
        """Begin a step, which lasts up to :meth:`leave`."""

    def leave(self) -> None:
        """End the step."""

    def found(self, key: object, value: Value, source: str = "") -> None:
        """Record that the step has a value."""

    def missing(self, key: object) -> None:
        """Record that the step has no value."""

    def absent(self) -> None:
        """Record that the file of the step does not exist."""

    def no_layer(self, module: str, *, exists: bool) -> None:
        """Record that a module has no data, or does not exist."""

    def result(self, value: Value) -> None:
        """Record the merge of several values."""

    def note(self, text: str) -> None:
        """Record a remark, for example of a backend function."""

    def remark(self, text: str) -> None:
        """Record a remark on the whole lookup."""

    def converted(self, convert_to: Value, *, secret: bool) -> None:
        """Record that the value was converted to another type; hide a secret."""


SILENT = Explanation()
