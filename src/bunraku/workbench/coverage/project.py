"""Which files of a project count, and their coverage from the data of runs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.checks.files import FileWalk
from bunraku.checks.kinds import EPP, MANIFEST
from bunraku.compiler.probes import Plan, add_probes
from bunraku.dialects.languages import dialect_named
from bunraku.engine.coverage import DIGEST_SIZE, CoverageSession
from bunraku.engine.programs import parse_program
from bunraku.syntax.nodes import Program
from bunraku.workbench.control_comments import control_comments
from bunraku.workbench.coverage.data import CoverageData, Runs, Version
from bunraku.workbench.coverage.result import Coverage, FileCoverage

IGNORE = "coverage"
"""The name by which control comments leave lines out: ``# lint:ignore:coverage reason``."""


@record(frozen=True)
class CountedFiles:
    """The files that count: those below a root that no glob leaves out.

    ``language`` is that of files that were never compiled.
    """

    root: str
    omit: tuple[str, ...] = ()
    language: str = "8"

    @property
    def session(self) -> CoverageSession:
        """What the processes record: the measured files and the folder of records."""
        return CoverageSession(os.path.realpath(self.root), self.omit)

    def files(self) -> list[str]:
        """Return the names of the files, relative to the root, sorted."""
        session = self.session
        found = set()
        for path, kind in FileWalk().files(session.root):
            if kind in {MANIFEST, EPP}:
                name = session.name_of(path)
                if name is not None:
                    found.add(name)
        return sorted(found)


def coverage_of(data: CoverageData, scope: CountedFiles, only: Sequence[str] = ()) -> Coverage:
    """Return the coverage of a project, or of some of its files; raise OSError for unreadable files."""
    known: dict[str, list[tuple[Version, Runs]]] = {}
    for version, runs in data.files.items():
        known.setdefault(version.path, []).append((version, runs))
    files, changed, unreadable = [], [], []
    for name in only or scope.files():
        content = read_whole(f"{scope.session.root}/{name}")
        recorded = known.get(name, [])
        digest = blake2b(content, digest_size=DIGEST_SIZE).hexdigest()
        current = [one for one in recorded if one[0].digest == digest]
        if len(current) < len(recorded):
            changed.append(name)
        language = current[0][0].language if current else scope.language
        try:
            files.append(file_coverage(name, content, language, current))
        except PuppetError as error:
            unreadable.append((name, str(error)))
    return Coverage(files, sorted(data.runs), changed, unreadable)


def file_coverage(
    name: str, content: bytes, language: str, recorded: Iterable[tuple[Version, Runs]]
) -> FileCoverage:
    """Return the coverage of a file; raise PuppetError for one that does not parse.

    Records in another language are left out: their probes have other numbers.
    """
    text = content.decode("utf-8", "surrogateescape")
    source = Source(text, name, on_disk=True, is_template=name.endswith(".epp"))
    program, plan = planned(source, language)
    merged: Runs = {}
    for version, runs in recorded:
        if version.language == language:
            for probes, names in runs.items():
                merged.setdefault(probes, set()).update(names)
    return FileCoverage(name, source, plan, merged, ignored_lines(source, program))


def planned(source: Source, language: str) -> tuple[Program, Plan]:
    """Return the program in a source and its probes."""
    checked = parse_program(source, dialect_named(language))
    error = checked.error("parse")
    if error is not None:
        raise error
    return checked.program, add_probes(checked.program)


def ignored_lines(source: Source, program: Program) -> frozenset[int]:
    """Return the lines that comments such as ``# lint:ignore:coverage reason`` leave out."""
    found = control_comments(source, program.comment_runs)
    return frozenset(found.reasons.get(IGNORE, ()))
