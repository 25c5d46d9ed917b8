"""Which kind of things a comparison compares: files, directories, or states of a repository."""

from __future__ import annotations

import os

from bunraku.base.usage import UsageError


def kind_of_all(sides: list[str]) -> str:
    """Return the kind of the arguments; all must be of one kind."""
    if len(sides) > 2:
        raise UsageError(f"diff compares two sides, not {len(sides)}")
    kinds = [kind_of(side) for side in sides]
    if len(set(kinds)) > 1:
        names = {"file": "a file", "directory": "a directory", "revision": "a git revision"}
        old, new = (f"{side!r} ({names[kind]})" for side, kind in zip(sides, kinds, strict=True))
        hint = ""
        if "revision" in kinds:
            name = sides[kinds.index("revision")]
            hint = f"; to compare a revision with the working tree: bunraku diff {name}"
        raise UsageError(f"cannot compare {old} with {new}{hint}")
    if len(sides) == 1 and kinds != ["revision"]:
        raise UsageError(f"give a second {kinds[0]} to compare {sides[0]} with")
    return kinds[0] if kinds else "revision"


def kind_of(text: str) -> str:
    """Return the kind of an argument."""
    if os.path.isdir(text):
        return "directory"
    return "file" if os.path.exists(text) or text == "-" else "revision"
