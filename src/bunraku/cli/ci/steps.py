"""The steps of ``bunraku ci``: files, style of changed lines, and nodes before and after a change."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import field, record, replace
from bunraku.base.usage import UsageError
from bunraku.checks.checker import Checker
from bunraku.cli.ci.agreement import agreement, puppet_of
from bunraku.cli.ci.nodes import NodePlan, has_nodes, node_plan
from bunraku.cli.ci.result import CiResult, Failure, names
from bunraku.cli.diff.groups import Comparison, Report
from bunraku.cli.diff.repository import (
    repository_place,
)
from bunraku.cli.diff.revisions import (
    Compare,
    compare_states,
    comparer,
    wrong_revision,
)
from bunraku.cli.options.analysis import analysed
from bunraku.cli.options.checked_files import directory_of, sources_below
from bunraku.cli.options.language import dialect_for
from bunraku.cli.options.lint import configured_settings
from bunraku.cli.options.project import ProjectOptions
from bunraku.cli.options.shared import limits_of, settings
from bunraku.cli.report.findings import relative
from bunraku.engine.git_program import git
from bunraku.engine.revisions import WORKING_TREE, State, with_paths
from bunraku.project.missing import missing_data, missing_parts
from bunraku.project.model import CONTROL_REPOSITORY, NOTHING, Project
from bunraku.syntax.nodes import Program
from bunraku.workbench.ci.base import base_state
from bunraku.workbench.ci.changed_lines import ChangedLines, refused_submodules
from bunraku.workbench.lint.run import SYNTAX, lint
from bunraku.world.machine import Machine


def result_of(options: argparse.Namespace) -> CiResult:
    """Return the result of all steps."""
    compare_both = comparer(options)
    puppet = puppet_of(options)
    place = repository_place(options)
    root = place.project.root
    if place.project.kind == NOTHING and not has_nodes(options):
        raise UsageError(f"cannot find a project to check ({place.project.reason})")
    try:
        states = base_state(root, options.base, os.environ), State(WORKING_TREE)
        changed = ChangedLines(root, str(states[0].commit))
        tracked = files_of_repository(root)
    except PuppetError as error:
        raise wrong_revision(error) from error
    found = checked(options, place, tracked)
    styles = style_of(place.project, found, changed)
    counting = [one for one in found.findings if one.severity == "error" or one in changed]
    plan = node_plan(options, place)
    comparison = compared_nodes(options, place, states, compare_both, plan)
    against = None
    if puppet is not None and comparison is not None:
        against = agreement(options, puppet, root, plan, comparison, compare_both)
    return CiResult(
        states[0].title,
        states[1].title,
        len(found.files),
        [*counting, *styles],
        older=len(found.findings) - len(counting),
        comparison=comparison,
        failures=failures_of(comparison, states[1], root),
        notes=[*notes_on(place), *plan.notes, *ruby_notes(comparison)],
        against=against,
    )


def compared_nodes(
    options: argparse.Namespace,
    place: ProjectOptions,
    states: tuple[State, State],
    compare_both: Compare,
    plan: NodePlan,
) -> Report | None:
    """Return the comparison of the nodes; None without nodes."""
    if not plan.files:
        return None
    root = place.project.root
    report = compare_states(
        options,
        root,
        states,
        plan.files,
        compare_both,
        plan.classes,
        plan.request_for,
        lines=False,
    )
    return replace(report, nodes=[with_relative_places(one) for one in report.nodes])


def with_relative_places(node: Comparison) -> Comparison:
    """Return the comparison of a node with the places of its resources relative to this directory."""
    found = node.difference
    parts = {
        name: [
            replace(one, place=one.place and relative(one.place)) for one in getattr(found, name)
        ]
        for name in ("added", "removed", "changed")
    }
    return replace(node, difference=replace(found, **parts))


def files_of_repository(root: str) -> set[str]:
    """Return the real paths of the files below a directory that git knows or does not ignore.

    Modules that r10k has put in place are ignored: their mistakes are not those of the change.
    """
    names = git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ".")
    real = os.path.realpath(root)
    return {os.path.join(real, name) for name in names.split("\0") if name}


@record()
class Checked:
    """The files that were checked, and the findings in them."""

    files: list[str] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)


def checked(options: argparse.Namespace, place: ProjectOptions, tracked: set[str]) -> Checked:
    """Return the findings of ``bunraku check`` in the files of the repository."""
    programs: list[Program] = []
    check = Checker(dialect_for(options), settings(options), limits_of(options), programs.append)
    found = Checked()
    for source, kind in sources_below(directory_of(place.project, options, check), options):
        if os.path.realpath(source.path) in tracked:
            found.files.append(source.path)
            found.findings += check(source, kind)
    own = [one for one in programs if os.path.realpath(one.source.path) in tracked]
    found.findings += analysed(options, place.project, own, found.files)
    return found


def style_of(project: Project, found: Checked, changed: ChangedLines) -> list[Diagnostic]:
    """Return the findings of ``bunraku lint`` on changed lines; syntax errors are reported already."""
    files = [path for path in found.files if path.endswith(".pp") and changed.touches(path)]
    return [
        one
        for one in lint(project, files, configured_settings())
        if one.code != SYNTAX and one in changed
    ]


def notes_on(place: ProjectOptions) -> list[str]:
    """Return what a fresh clone lacks."""
    project, machine = place.project, Machine()
    found = missing_parts(project, machine)
    if project.kind == CONTROL_REPOSITORY:
        found += missing_data(project, machine)
    if reason := refused_submodules(project.root):
        found.append(f"git refuses .gitmodules, so submodules are not compared: {reason}")
    return found


def ruby_notes(comparison: Report | None) -> Iterator[str]:
    """Yield a sentence about the nodes that Ruby was needed for."""
    uses: dict[str, list[str]] = {}
    for node in comparison.nodes if comparison else ():
        for use in node.ruby:
            uses.setdefault(use, []).append(node.node)
    for use, nodes in sorted(uses.items()):
        yield f"Ruby was needed for {use} ({names(nodes)})"


def failures_of(comparison: Report | None, new: State, root: str) -> Sequence[Failure]:
    """Return the nodes that have no catalog after the change; paths are relative to this directory."""
    if comparison is None:
        return ()
    start = os.path.relpath(root)
    before = f"{root}/"
    after = "" if start == "." else f"{start}/"
    seen: set[int] = set()
    found = []
    for node in comparison.nodes:
        sides = dict(node.findings)
        if new.name in sides:
            finding = with_paths(sides[new.name], lambda text: text.replace(before, after), seen)
            found.append(Failure(node.node, finding, before=len(sides) > 1))
    return found
