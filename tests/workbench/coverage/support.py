"""Compiles whose coverage is recorded, in this process."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bunraku.engine.compile import compile_catalog
from bunraku.engine.coverage import SESSION
from bunraku.engine.manifests import COVERAGE
from bunraku.engine.request import Request
from bunraku.workbench.coverage.data import CoverageData, read_records
from bunraku.workbench.coverage.project import CountedFiles
from bunraku.workbench.coverage.result import FileCoverage

EXPECTED = re.compile(r"#= (ran|missed)(?:, not: (.*))?$")


@contextmanager
def recording(folder: Path, scope: CountedFiles, monkeypatch) -> Iterator[None]:
    """Record the compiles of this process in a folder."""
    folder.mkdir(mode=0o700, exist_ok=True)
    session = {"root": scope.session.root, "omit": list(scope.session.omit)}
    (folder / SESSION).write_text(json.dumps(session))
    monkeypatch.setenv(COVERAGE, str(folder))
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)  # it would name the runs
    yield
    monkeypatch.delenv(COVERAGE)


def records(
    folder: Path, scope: CountedFiles, monkeypatch, requests: Sequence[Request]
) -> CoverageData:
    """The records of some compiles."""
    with recording(folder, scope, monkeypatch):
        for request in requests:
            compile_catalog(request, lambda _: None)
    return read_records(str(folder))


def expectation(text: str) -> dict[int, tuple[str, str]]:
    """What the comments of a manifest expect: ran or missed, and the branches not taken."""
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := EXPECTED.search(line):
            found[number] = (match[1], match[2] or "")
    return found


def outcome(file: FileCoverage) -> dict[int, tuple[str, str]]:
    """What a file's coverage is, in the form of :func:`expectation`."""
    partial = file.partial_lines()
    return {
        line: (
            "ran" if ran else "missed",
            "; ".join(f"{one.decision.kind} {one.branch.label}" for one in partial.get(line, ())),
        )
        for line, ran in sorted(file.lines.items())
    }
