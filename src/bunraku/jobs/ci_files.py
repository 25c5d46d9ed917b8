"""The findings in the files of both states of a change: new, unchanged and gone ones."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from glob import escape

from bunraku.base.errors import Diagnostic, in_order
from bunraku.base.moved_paths import with_paths
from bunraku.base.paths import inner_path
from bunraku.base.records import field, record, replace
from bunraku.base.source import Source
from bunraku.checks.checker import EPP, MANIFEST, Checker
from bunraku.engine.dependencies import Digests, Neutral
from bunraku.engine.request import DISK, Request
from bunraku.engine.revisions import Side, moved_path, requests_of
from bunraku.jobs.analysis import analysed
from bunraku.jobs.baseline import Identity, without_accepted
from bunraku.jobs.checked_files import CheckedFiles
from bunraku.jobs.context import Context
from bunraku.jobs.kept_findings import findings_of
from bunraku.project.model import Project
from bunraku.syntax.nodes import Program
from bunraku.workbench.ci.change import Change
from bunraku.workbench.lint.run import SYNTAX, LintSettings, lint
from bunraku.world.protocol import World

PLACES = re.compile(r"(?<=\w):\d+(:\d+)?\b|\b(line|column):? \d+")
"""Places in a message, which move with the lines of a file."""


@record()
class CheckedState:
    """The files of a state that were checked, and the findings in them."""

    files: list[str] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)


@record(frozen=True)
class Judged:
    """The findings of two states: those that only the new one has, both have, and only the old one has."""

    new: Sequence[Diagnostic] = ()
    unchanged: Sequence[Diagnostic] = ()
    gone: Sequence[Diagnostic] = ()


class FileChecks:
    """Runs ``check`` on all files of a state, and ``lint`` on those that a change touches.

    ``later_manifests`` are names and texts of manifests with functions that the files may call.
    """

    def __init__(
        self,
        context: Context,
        exclude: Sequence[str],
        settings: LintSettings,
        later_manifests: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.context = context
        self.exclude = exclude
        self.settings = settings
        self.later_manifests = later_manifests

    def working_tree(
        self,
        both: tuple[Side, Side],
        request_for: Callable[[str, World], Request],
        change: Change,
    ) -> CheckedState:
        """Return the findings in the files of the working tree that git does not ignore."""
        context = self.context
        files = CheckedFiles(context, self.exclude)
        request = Request(**context.fields)
        if both[1].has_mounts:
            request = requests_of(both, request_for)[1]
        moved = self.moved_text(f"{context.project.root}/")
        found = self.check(files, context.project, request, change.tracks, both[1], moved)
        touched = [path for path in found.files if path.endswith(".pp") and change.touches(path)]
        found = self.with_style(found, context.project, touched)
        return moved_state(found, moved)

    def base(
        self,
        both: tuple[Side, Side],
        request_for: Callable[[str, World], Request],
        change: Change,
    ) -> CheckedState:
        """Return the findings in the files of the base, at the paths that they have there.

        The files of the revision are written to a private directory.
        """
        side = both[0]
        assert side.tree is not None
        side.tree.expose()
        project = self.context.project_in(side.directory, DISK)
        files = CheckedFiles(
            self.context,
            self.exclude,
            moved=partial(moved_path, old=side.repository.top, new=side.top),
        )
        files.exclude += [
            ("/", escape(os.path.join(side.top, path))) for path in sorted(side.tree.ignored)
        ]
        # The relative path comes first: it ends with the absolute one if both meet in the root.
        moved = self.moved_text(f"{os.path.relpath(side.directory)}/", f"{side.directory}/")
        request = requests_of(both, request_for)[0]
        found = self.check(files, project, request, lambda _path: True, side, moved)
        touched = [
            path
            for path in found.files
            if path.endswith(".pp") and change.touches_old(inner_path(path, side.top))
        ]
        found = self.with_style(found, project, touched)
        return moved_state(found, moved)

    def moved_text(self, *places: str) -> Callable[[str], str]:
        """Return a function that puts paths of this directory in place of those of a state."""
        start = os.path.relpath(self.context.project.root)
        after = "" if start == "." else f"{start}/"

        def moved(text: str) -> str:
            for before in places:
                text = text.replace(before, after)
            return text

        return moved

    def check(
        self,
        files: CheckedFiles,
        project: Project,
        request: Request,
        is_tracked: Callable[[str], bool],
        side: Side,
        moved: Callable[[str], str],
    ) -> CheckedState:
        """Return the findings of ``check`` in the files of a project."""
        context = self.context
        programs: list[Program] = []
        checker = Checker(context.dialect, context.settings, context.limits, programs.append)
        found = CheckedState()
        code: list[tuple[Source, str]] = []
        for source, kind in files.below(files.of_project(checker, project)):
            if is_tracked(source.path):
                found.files.append(source.path)
                if kind in {MANIFEST, EPP}:
                    code.append((source, kind))
                else:
                    found.findings += checker(source, kind)

        def decisions(digests: Digests, neutral: Neutral) -> object:
            texts = [(neutral(one.path), kind, digests.of_once(one.text)) for one, kind in code]
            paths = [
                neutral(one) if isinstance(one, str) else (one[0], neutral(one[1]))
                for one in checker.modulepath
            ]
            others = [neutral(path) for path in found.files]
            return [context.dialect.name, dict(context.settings), paths, texts, others]

        def work(request: Request) -> list[Diagnostic]:
            findings = [finding for one in code for finding in checker(*one)]
            return [*findings, *analysed(request, context.limits, programs, found.files)]

        request = replace(request, later_manifests=self.later_manifests)
        found.findings += findings_of(side, request, decisions, moved, work)
        return found

    def with_style(
        self, found: CheckedState, project: Project, touched: Sequence[str]
    ) -> CheckedState:
        """Return the findings with those of ``lint``, except on lines that have an error already."""
        lines = {one.place.where[:2] for one in found.findings if one.severity == "error"}
        styles = [
            one
            for one in lint(project, touched, self.settings)
            if one.code != SYNTAX and one.place.where[:2] not in lines
        ]
        return CheckedState(found.files, [*found.findings, *styles])


def moved_state(found: CheckedState, moved: Callable[[str], str]) -> CheckedState:
    """Return findings with other paths."""
    seen: set[int] = set()
    return CheckedState(found.files, [with_paths(one, moved, seen) for one in found.findings])


def judged(old: Iterable[Diagnostic], new: Iterable[Diagnostic], change: Change) -> Judged:
    """Return which findings are new, unchanged and gone; of equal ones, those on changed lines are new."""
    renamed = {
        shown(change, before): shown(change, after) for before, after in change.renamed.items()
    }
    before: dict[Identity, list[Diagnostic]] = {}
    for one in in_order(old):
        before.setdefault(identity(one, renamed), []).append(one)
    after: dict[Identity, list[Diagnostic]] = {}
    for one in in_order(new):
        after.setdefault(identity(one, {}), []).append(one)
    fresh, same, gone = [], [], []
    for key in {**before, **after}:
        here = sorted(after.get(key, ()), key=lambda one: one in change)
        there = before.get(key, [])
        same += here[: len(there)]
        fresh += here[len(there) :]
        gone += there[len(here) :]
    return Judged(in_order(fresh), in_order(same), in_order(gone))


def shown(change: Change, name: str) -> str:
    """Return the path of a file in a repository, relative to this directory."""
    return os.path.relpath(os.path.join(change.top, name), os.path.realpath("."))


def less_accepted(found: Judged, accepted: Counter[Identity]) -> Judged:
    """Return the judgement with the findings of a baseline as unchanged ones."""
    fresh = without_accepted(found.new, accepted)
    same = [one for one in found.new if not any(one is other for other in fresh)]
    return Judged(fresh, in_order([*found.unchanged, *same]), found.gone)


def identity(finding: Diagnostic, renamed: Mapping[str, str]) -> Identity:
    """Return what a finding has in common with the same one in another state.

    ``renamed`` has the new paths of files.

    >>> from bunraku.base.source import Place
    >>> one = Diagnostic("X", "declared at a.pp:7 (line: 3)", Place("a.pp", 9))
    >>> identity(one, {"a.pp": "b.pp"})
    ('b.pp', 'X', 'declared at b.pp ()')
    """
    file = os.path.normpath(finding.file) if finding.file else ""
    message = PLACES.sub("", finding.message)
    for old, new in renamed.items():
        message = message.replace(old, new)
    return renamed.get(file, file), finding.code, message
