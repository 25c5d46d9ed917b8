"""Questions about many types and values in one manifest, and how two sets of answers differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from support.known_differences import sections
from support.type_expressions import ALIASES

MODES = ("detailed", "reduced", "generalized")


@dataclass(slots=True)
class Matrix:
    """Some types and values, all asked about each other."""

    types: list[str]
    values: list[str]

    def manifest(self) -> str:
        """The manifest that notices the answers, a row each."""
        types, values = (
            "".join(f"  {one},\n" for one in some) for some in (self.types, self.values)
        )
        rows = [
            "$t.each |$y| { notice($v.map |$x| { if $x =~ $y { 1 } else { 0 } }.join('')) }",
            "$t.each |$y| { notice($t.map |$x| { if $x <= $y { 1 } else { 0 } }.join('')) }",
            '$t.each |$y| { notice("${y}") }',
            *(f'$v.each |$x| {{ notice("${{type($x, {mode})}}") }}' for mode in MODES),
        ]
        return "\n".join([ALIASES, f"$t = [\n{types}]\n$v = [\n{values}]", *rows])

    def without_all_but(self, good: set[str]) -> Matrix:
        """The matrix of those of its terms that are good."""
        types, values = ([one for one in some if one in good] for some in (self.types, self.values))
        return Matrix(types, values)


def request(code: str) -> str:
    """The batch request of a manifest, with the settings that are usual in Puppet 8."""
    settings = {"strict": "error", "strict_variables": True}
    return json.dumps({"id": "x", "code": code, "settings": settings, "timeout": 60})


def outcome(answer: dict[str, Any]) -> list[str] | None:
    """The notices, or None after an error."""
    if answer["status"] != "ok":
        return None
    return [str(one["message"]) for one in answer["notices"]]


def differences(matrix: Matrix, theirs: list[str], mine: list[str]) -> Iterator[str]:
    """Each answer in which the two differ, as a line of text."""
    types, values = matrix.types, matrix.values
    labels: list[tuple[str, str, list[str]]] = [
        *(("=~", one, values) for one in types),
        *(("<=", one, types) for one in types),
        *(("display", one, []) for one in types),
        *((mode, one, []) for mode in MODES for one in values),
    ]
    if len(theirs) != len(mine):
        yield f"rows: {len(mine)} for {len(theirs)}"
        return
    for (kind, row, columns), expected, given in zip(labels, theirs, mine, strict=True):
        if expected == given:
            continue
        if not columns:
            yield f"{kind}: {row}: {given} for {expected}"
            continue
        for column, right, got in zip(columns, expected, given, strict=True):
            if right != got:
                yield f"{column} {kind} {row}: {got}"


@dataclass(frozen=True)
class Known:
    """A difference kept on purpose: its reason, and which lines tell of it.

    With ``but_for``, both answers must be the same text without its matches.
    """

    reason: str
    pattern: re.Pattern[str]
    but_for: re.Pattern[str] | None = None

    def excuses(self, line: str) -> bool:
        """Whether the difference in a line is this one."""
        if not self.pattern.search(line):
            return False
        if self.but_for is None:
            return True
        told, _, theirs = line.rpartition(" for ")
        return self.but_for.sub("", told).endswith(self.but_for.sub("", ": " + theirs))


@cache
def reasons() -> list[Known]:
    """The differences kept on purpose."""
    return [
        Known(
            item["reason"],
            re.compile(item["pattern"], re.DOTALL),
            re.compile(item["but_for"]) if "but_for" in item else None,
        )
        for item in sections()["types_random"]
    ]


def known(line: str) -> str | None:
    """Why a difference is kept; None for one that is not."""
    return next((one.reason for one in reasons() if one.excuses(line)), None)
