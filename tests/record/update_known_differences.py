"""Rewrite the conformance sections of ``tests/known_differences.toml`` from a run of all cases.

A reason that somebody wrote stays; the others, which begin with ``seen:``, tell what was wrong with
the answer this time. Say with the change why the list grew, if it did.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support.conformance import (  # noqa: E402, the path first
    DIALECTS,
    ask,
    failures,
    known_failures,
    list_of_failures,
    recorded_cases,
    request,
    stated_cases,
)
from support.known_differences import replace_section  # noqa: E402

SEEN = "seen: "


def main() -> None:
    for dialect in sys.argv[1:] or DIALECTS:
        update(dialect)


def update(dialect: str) -> None:
    """Rewrite the list of one dialect."""
    before = known_failures(dialect)
    topics = (*stated_cases(dialect).values(), *recorded_cases(dialect).values())
    cases = [case for cases in topics for case in cases]
    command = [sys.executable, "-m", "bunraku", "batch", "--jobs", "2"]
    found = failures(cases, ask(map(request, cases), command))
    written = {name: reason for name, reason in before.items() if not reason.startswith(SEEN)}
    replace_section(
        f'"{list_of_failures(dialect)}"',
        {name: written.get(name, SEEN + one_line(reason)) for name, reason in found.items()},
    )
    print(
        f"{dialect}: {len(cases)} cases, {len(found)} fail; {len(set(before) - set(found))} fail no more"
    )


def one_line(text: str) -> str:
    """Text that fits on the line of a list."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join(plain.split())[:200]


if __name__ == "__main__":
    main()
