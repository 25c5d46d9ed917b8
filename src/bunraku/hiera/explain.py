"""The story of a lookup: which places were asked, in which order, and what they answered.

Hiera tells it to an :class:`Explanation`, which forgets, or to a
:class:`bunraku.hiera.recorder.Recorder`, which keeps it.
"""

from __future__ import annotations

from typing import Any

Value = Any


class Explanation:
    """Hears everything and keeps nothing."""

    active = False
    options_only = False
    __slots__ = ()

    def enter(self, kind: str, name: str, **details: Value) -> None:
        """What follows, up to :meth:`leave`, belongs to this step."""

    def leave(self) -> None:
        """The step is over."""

    def found(self, key: object, value: Value, source: str = "") -> None:
        """The step has a value."""

    def missing(self, key: object) -> None:
        """The step has no value."""

    def absent(self) -> None:
        """The file of the step does not exist."""

    def no_layer(self, module: str, *, exists: bool) -> None:
        """A module has no data, or there is no such module."""

    def result(self, value: Value) -> None:
        """What a merge of several values gave."""

    def note(self, text: str) -> None:
        """A remark, for example of a backend function."""

    def remark(self, text: str) -> None:
        """A remark on the whole lookup."""

    def converted(self, convert_to: Value, *, secret: bool) -> None:
        """What was found was made another type; a secret is not told."""


SILENT = Explanation()
