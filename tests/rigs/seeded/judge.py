"""Run ``bunraku ci`` on a change of the repository, and say how the result differs from what it must be."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bunraku import Environment
from bunraku.base.errors import Diagnostic
from bunraku.cli import exits
from rigs.seeded.changes import Harmless, Mistake, line_of
from rigs.seeded.harmless import HARMLESS
from rigs.seeded.held_back import HARMLESS_HELD_BACK, HELD_BACK
from rigs.seeded.mistakes import MISTAKES
from rigs.seeded.more_mistakes import MORE
from rigs.seeded.repository import git, make_repository

NODES = re.compile(r"(?:breaks|reaches) (?:(\d+) nodes: )?\S+\.example\.com")


@dataclass(frozen=True)
class Found:
    """What a run said."""

    code: int
    findings: list[Diagnostic]

    def places(self) -> list[str]:
        """Return the findings in short."""
        return [
            f"{where_of(one)} {one.severity} {one.code} {one.message} ({one.hint})"
            for one in self.findings
        ]


def where_of(finding: Diagnostic) -> str:
    """Return the place of a finding."""
    return f"{finding.place.file}:{finding.place.line}"


def run_ci(root: Path) -> Found:
    """Return what ``bunraku ci`` says of the working tree."""
    with chdir(root):
        result = Environment(".").ci()
    code = exits.FINDINGS if result.failed else exits.OK if result.is_complete else exits.TROUBLE
    return Found(code, result.diagnostics())


def faults(root: Path, change: Mistake | Harmless) -> list[str]:
    """Apply a change, run, restore the working tree, and return what is wrong with the result."""
    try:
        for edit in change.edits:
            edit.apply(root)
        found = run_ci(root)
        if isinstance(change, Harmless):
            return list(faults_of_harmless(found))
        return list(faults_of_mistake(root, change, found))
    finally:
        git(root, "reset", "-q", "--hard")
        git(root, "clean", "-qfd")


def faults_of_harmless(found: Found) -> Iterator[str]:
    """Yield what is wrong with the result for a change that breaks nothing."""
    if found.code != exits.OK:
        yield f"exit code {found.code}"
    yield from found.places()


def faults_of_mistake(root: Path, change: Mistake, found: Found) -> Iterator[str]:
    """Yield what is wrong with the result for a mistake."""
    if found.code != exits.FINDINGS:
        yield f"exit code {found.code}"
    place = f"{change.file}:{line_of(root, change.file, change.line)}"
    if [where_of(one) for one in found.findings] != [place]:
        yield f"expected one finding at {place}, but found {len(found.findings)}"
        yield from found.places()
    elif change.nodes:
        names = NODES.search(found.findings[0].hint or "")
        count = int(names[1] or 1) if names else 0
        if count != change.nodes:
            yield f"expected {change.nodes} nodes, but {count} are named"
            yield from found.places()


def run() -> int:
    """Judge all changes, or those whose name has a word of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="leave out N changes")
    options = parser.parse_args()
    bad = 0
    with TemporaryDirectory() as scratch:
        os.environ["XDG_CACHE_HOME"] = f"{scratch}/cache"
        root = Path(scratch, "control")
        make_repository(root)
        changes = [
            one
            for one in (*MISTAKES, *HARMLESS, *MORE, *HELD_BACK, *HARMLESS_HELD_BACK)[
                options.first :
            ]
            if not options.names or any(word in one.name for word in options.names)
        ]
        for change in changes:
            found = faults(root, change)
            bad += bool(found)
            kind = type(change).__name__.lower()
            sys.stdout.write(f"{'FAULT' if found else 'ok'} {kind} {change.name}\n")
            sys.stdout.writelines(f"    {line}\n" for line in found)
            sys.stdout.flush()
    sys.stdout.write(f"{len(changes) - bad} of {len(changes)} as they must be\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(run())
