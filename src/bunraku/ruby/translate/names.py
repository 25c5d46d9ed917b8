"""The Python variables for local variables of Ruby."""

from __future__ import annotations

from bunraku.base.records import field, record


@record(eq=False)
class Frame:
    """A Python function that is being made."""

    parent: Frame | None = None
    outside: set[str] = field(default_factory=set)


@record(eq=False)
class Names:
    """The local variables of the template or of a block: Ruby's name → Python's."""

    frame: Frame
    parent: Names | None = None
    known: dict[str, str] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)
