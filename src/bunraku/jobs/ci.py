"""Check a change: its files, the style of changed lines, and the nodes before and after it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.paths import relative
from bunraku.base.records import field, record, replace
from bunraku.base.usage import UsageError
from bunraku.checks.checker import Checker
from bunraku.engine.git_program import git
from bunraku.engine.revisions import WORKING_TREE, State, with_paths
from bunraku.jobs.analysis import analysed
from bunraku.jobs.checked_files import CheckedFiles
from bunraku.jobs.ci_agreement import agreement, puppet_of
from bunraku.jobs.ci_nodes import NodeOptions, NodePlan, node_plan
from bunraku.jobs.ci_result import CiResult, Failure, names
from bunraku.jobs.compare import CompareCatalogs, CompareOptions, compare_states, wrong_revision
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.jobs.context import Context
from bunraku.jobs.nodes import has_nodes
from bunraku.project.missing import missing_data, missing_parts
from bunraku.project.model import CONTROL_REPOSITORY, NOTHING, Project
from bunraku.syntax.nodes import Program
from bunraku.workbench.ci.base import base_state
from bunraku.workbench.ci.changed_lines import ChangedLines, refused_submodules
from bunraku.workbench.lint.run import SYNTAX, LintSettings, lint
from bunraku.world.machine import Machine


@record()
class CiOptions:
    """What is checked: the revision before the change, the nodes, and what counts as a difference.

    ``base`` is a revision (default: that of the CI system, or the usual branch). ``against`` is an
    installed Puppet that compiles ``sample`` nodes, too. ``exclude`` are patterns of files that are not
    checked. ``lint`` are the checks of style.
    """

    base: str | None = None
    nodes: NodeOptions = field(default_factory=NodeOptions)
    compare: CompareOptions = field(default_factory=CompareOptions)
    against: str | None = None
    sample: int = 5
    exclude: Sequence[str] = ()
    lint: LintSettings = field(default_factory=LintSettings)


def ci(options: CiOptions, context: Context) -> CiResult:
    """Return the result of all steps. Raises UsageError."""
    compare_both = options.compare.comparer(context.limits)
    puppet = puppet_of(options.against)
    project = context.project
    if project.kind == NOTHING and not has_nodes(context):
        raise UsageError(f"cannot find a project to check ({project.reason})")
    try:
        states = base_state(project.root, options.base, os.environ), State(WORKING_TREE)
        changed = ChangedLines(project.root, str(states[0].commit))
        tracked = files_of_repository(project.root)
    except PuppetError as error:
        raise wrong_revision(error) from error
    checked = checked_files(options, context, tracked)
    styles = style_of(project, checked, changed, options.lint)
    counting = [one for one in checked.findings if one.severity == "error" or one in changed]
    plan = node_plan(options.nodes, context)
    comparison = compared_nodes(context, states, compare_both, plan)
    against = None
    if puppet is not None and comparison is not None:
        against = agreement(context, puppet, options.sample, plan, comparison, compare_both)
    return CiResult(
        states[0].title,
        states[1].title,
        len(checked.files),
        [*counting, *styles],
        older=len(checked.findings) - len(counting),
        comparison=comparison,
        failures=failures_of(comparison, states[1], project.root),
        notes=[*notes_on(project), *plan.notes, *ruby_notes(comparison)],
        against=against,
    )


def compared_nodes(
    context: Context,
    states: tuple[State, State],
    compare_both: CompareCatalogs,
    plan: NodePlan,
) -> Comparison | None:
    """Return the comparison of the nodes; None without nodes."""
    if not plan.files:
        return None
    found = compare_states(
        context,
        context.project.root,
        states,
        plan.files,
        compare_both,
        plan.classes,
        plan.request_for,
        lines=False,
    )
    return replace(found, nodes=[with_relative_places(one) for one in found.nodes])


def with_relative_places(node: NodeComparison) -> NodeComparison:
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


def checked_files(options: CiOptions, context: Context, tracked: set[str]) -> Checked:
    """Return the findings of ``check`` in the files of the repository."""
    programs: list[Program] = []
    check = Checker(context.dialect, context.settings, context.limits, programs.append)
    files = CheckedFiles(context, options.exclude)
    found = Checked()
    for source, kind in files.below(files.of_project(check)):
        if os.path.realpath(source.path) in tracked:
            found.files.append(source.path)
            found.findings += check(source, kind)
    own = [one for one in programs if os.path.realpath(one.source.path) in tracked]
    found.findings += analysed(context, own, found.files)
    return found


def style_of(
    project: Project, checked: Checked, changed: ChangedLines, settings: LintSettings
) -> list[Diagnostic]:
    """Return the findings of ``lint`` on changed lines; syntax errors are reported already."""
    files = [path for path in checked.files if path.endswith(".pp") and changed.touches(path)]
    return [one for one in lint(project, files, settings) if one.code != SYNTAX and one in changed]


def notes_on(project: Project) -> list[str]:
    """Return what a fresh clone lacks."""
    machine = Machine()
    found = missing_parts(project, machine)
    if project.kind == CONTROL_REPOSITORY:
        found += missing_data(project, machine)
    if reason := refused_submodules(project.root):
        found.append(f"git refuses .gitmodules, so submodules are not compared: {reason}")
    return found


def ruby_notes(comparison: Comparison | None) -> Iterator[str]:
    """Yield a sentence about the nodes that Ruby was needed for."""
    uses: dict[str, list[str]] = {}
    for node in comparison.nodes if comparison else ():
        for use in node.ruby:
            uses.setdefault(use, []).append(node.node)
    for use, nodes in sorted(uses.items()):
        yield f"Ruby was needed for {use} ({names(nodes)})"


def failures_of(comparison: Comparison | None, new: State, root: str) -> Sequence[Failure]:
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
