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

    def step(self, kind: str, name: str, **details: Value) -> Explanation:
        """Begin a step, for a ``with`` statement: the calls in its body describe the step."""
        return self

    def __enter__(self) -> None:
        """Begin the body of a step."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """End the step, also after an error."""

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
