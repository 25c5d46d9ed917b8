"""Check a change: its files, the style of changed lines, and the nodes before and after it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.fences import fenced
from bunraku.base.moved_paths import portable, relative_paths
from bunraku.base.records import field, record
from bunraku.base.usage import UsageError
from bunraku.engine.revisions import WORKING_TREE, Side, State
from bunraku.jobs.check import accepted_findings
from bunraku.jobs.ci_agreement import agreement, puppet_of
from bunraku.jobs.ci_causes import by_cause, with_faults
from bunraku.jobs.ci_files import FileChecks, Judged, judged, less_accepted
from bunraku.jobs.ci_policies import PolicyCheck, policies_of
from bunraku.jobs.ci_reach import Reach, is_in_manifest
from bunraku.jobs.ci_result import CiResult, Failure, line_of, names, with_nodes
from bunraku.jobs.compare import CompareOptions, Seen, compare_sides, wrong_revision
from bunraku.jobs.comparison import Comparison
from bunraku.jobs.context import Context
from bunraku.jobs.facts_files import facts_in_option
from bunraku.jobs.node_plan import node_plan
from bunraku.jobs.nodes import NodeOptions, NodePlan, has_nodes
from bunraku.jobs.revision_modules import (
    ModuleNotes,
    change_from,
    sides_with_modules,
    world_with_modules,
)
from bunraku.project.missing import missing_data, missing_parts, other_versions
from bunraku.project.model import CONTROL_REPOSITORY, NOTHING, Project
from bunraku.providers.issues import INVALID_VALUE
from bunraku.workbench.analysis.issues import MODULE_NOT_INSTALLED
from bunraku.workbench.ci.base import base_state
from bunraku.workbench.ci.change import Change, refused_submodules
from bunraku.workbench.ci.changed_text import ChangedText
from bunraku.workbench.ci.lacks import Lacks
from bunraku.workbench.lint.run import LintSettings
from bunraku.world.machine import Machine
from bunraku.world.protocol import World

NOT_INSTALLED = MODULE_NOT_INSTALLED.code
"""The code of findings that name a module of which no name can be checked."""


@record()
class CiOptions:
    """What is checked: the revision before the change, the nodes, and what counts as a difference.

    ``base`` is a revision (default: that of the CI system, or the usual branch). ``against`` is an
    installed Puppet that compiles ``sample`` nodes, too. ``exclude`` are patterns of files that are not
    checked. ``lint`` are the checks of style. ``baseline`` is the path of a file with findings that are
    accepted. ``fail_on_warnings`` and ``fail_on_changes`` make new warnings and changed catalogs faults.
    """

    base: str | None = None
    nodes: NodeOptions = field(default_factory=NodeOptions)
    compare: CompareOptions = field(default_factory=CompareOptions)
    against: str | None = None
    sample: int = 5
    exclude: Sequence[str] = ()
    lint: LintSettings = field(default_factory=LintSettings)
    baseline: str | None = None
    fail_on_warnings: bool = False
    fail_on_changes: bool = False


def ci(options: CiOptions, context: Context) -> CiResult:
    """Return the result of all steps. Raises UsageError."""
    options.compare.ignores()
    accepted = None if options.baseline is None else accepted_findings(options.baseline)
    puppet = puppet_of(options.against)
    project = context.project
    if project.kind == NOTHING and not has_nodes(context):
        raise UsageError(f"cannot find a project to check ({project.reason})")
    try:
        states = base_state(project.root, options.base, os.environ), State(WORKING_TREE)
        change = change_from(project.root, str(states[0].commit))
    except PuppetError as error:
        raise wrong_revision(error) from error
    plan = node_plan(options.nodes, context)
    policies = PolicyCheck(policies_of(context))
    checks = FileChecks(context, options.exclude, options.lint, plan.later_manifests)
    try:
        modules = ModuleNotes()
        sides = sides_with_modules(
            project.root,
            states,
            modules,
            offline=context.options.offline,
            installed_only=context.options.installed_modules,
        )
        with fenced(project.root), sides as both:
            files, found = judged_files(checks, both, change, plan)
            if accepted is not None:
                found = less_accepted(found, accepted)
            changed = ChangedText(project.root, change, Machine(), partial(known_facts, plan))
            in_files = [*with_faults(found.new), *changed.findings()]
            reach = Reach(Machine(), context.dialect)
            seen = seen_by(policies, reach if any(map(is_in_manifest, in_files)) else None)
            comparison = compared_nodes(context, both, options.compare, plan, seen)
            world = world_with_modules(both[1])
            failures = failures_of(comparison, states[1], context, world)
            missing = missing_parts(project, world)
            others = notes_on(project, world)
    except PuppetError as error:
        raise wrong_revision(error) from error
    against = None
    if puppet is not None and comparison is not None:
        compare_both = options.compare.comparer(context.limits)
        against = agreement(context, puppet, options.sample, plan, comparison, compare_both)
    of_nodes = [*problems_in_catalogs(in_files, comparison), *policies.findings()]
    findings, failures = by_cause([*of_nodes, *in_files], failures, changed)
    findings = reach.named(findings, of_nodes)
    findings += layout_warnings(context, change, options.exclude)
    named = any(one.code == NOT_INSTALLED for one in (*found.new, *found.unchanged))
    needs = named or comparison is None or any(one.lacks for one in failures)
    unknown = [*(missing if needs else ()), *modules.lacking, *plan.unknown]
    notes = [
        *others,
        *(() if needs else missing),
        *modules.used,
        *plan.notes,
        *ruby_notes(comparison),
    ]
    moved = relative_paths()
    return CiResult(
        states[0].title,
        states[1].title,
        files,
        portable(findings, moved),
        portable(found.unchanged, moved),
        portable(found.gone, moved),
        comparison,
        failures,
        list(map(moved, unknown)),
        list(map(moved, notes)),
        against,
        options.fail_on_warnings,
        options.fail_on_changes,
    )


def layout_warnings(
    context: Context, change: Change, exclude: Sequence[str]
) -> Sequence[Diagnostic]:
    """Return the warnings about the layout of changed lines, if the configuration asks for them."""
    choice = context.options.configured.get("ci")
    if choice is None or not choice.value.get("fmt"):
        return ()
    from bunraku.jobs.format import layout_findings

    return layout_findings(context, change, exclude)


def judged_files(
    checks: FileChecks, both: tuple[Side, Side], change: Change, plan: NodePlan
) -> tuple[int, Judged]:
    """Return the number of files, and the findings of both states in them."""
    request_for = plan.request_for or checks.context.request_in
    after = checks.working_tree(both, request_for, change)
    before = after.findings
    if not change.is_empty:
        before = checks.base(both, request_for, change).findings
    return len(after.files), judged(before, after.findings, change)


def known_facts(plan: NodePlan) -> list[Mapping[str, Any]]:
    """Return the facts of all nodes; none if those of one are not in a file."""
    if any(path is None for path in plan.files.values()):
        return []
    return [facts_in_option(path) for path in plan.files.values()]


def compared_nodes(
    context: Context,
    both: tuple[Side, Side],
    options: CompareOptions,
    plan: NodePlan,
    seen: Seen | None,
) -> Comparison | None:
    """Return the comparison of the nodes; None without nodes. ``seen`` gets their catalogs."""
    if not plan.files:
        return None
    return compare_sides(
        context,
        both,
        options,
        plan.files,
        plan.stand_ins,
        plan.request_for,
        lines=False,
        judges=True,
        seen=seen,
    )


def seen_by(policies: PolicyCheck, reach: Reach | None) -> Seen | None:
    """Return what takes in the catalogs of all nodes; None if nothing asks for them."""
    if reach is None:
        return policies.add if policies.policies else None

    def seen(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> None:
        policies.add(old, new)
        reach.add(new)

    return seen


def problems_in_catalogs(
    findings: Sequence[Diagnostic], comparison: Comparison | None
) -> list[Diagnostic]:
    """Return the findings about new catalogs, each with the nodes that have it; ``findings`` are those in files."""
    nodes: dict[object, tuple[Diagnostic, dict[str, None]]] = {}
    for node in comparison.nodes if comparison else ():
        for problem in node.problems:
            one = at_code(problem, findings)
            _, names_ = nodes.setdefault((one.code, line_of(one)), (one, {}))
            names_[node.node] = None
    return [with_nodes(one, list(those), "reaches") for one, those in nodes.values()]


def at_code(problem: Diagnostic, findings: Sequence[Diagnostic]) -> Diagnostic:
    """Return a wrong value in a catalog at the code that sets it, if a finding in a file names the same value.

    A default, a collector or a hash can set it, far from the resource.
    """
    if problem.code != INVALID_VALUE.code:
        return problem
    for one in findings:
        if one.code == problem.code and wrong_value(one) == wrong_value(problem):
            return problem.at(one.place, replaces=True)
    return problem


def wrong_value(finding: Diagnostic) -> tuple[object, object]:
    """Return the attribute of a wrong value, and what is wrong with it."""
    return finding.arguments.get("name"), finding.arguments.get("reason")


def notes_on(project: Project, world: World) -> list[str]:
    """Return what else a reader of the result should know."""
    found = other_versions(project, world)
    if project.kind == CONTROL_REPOSITORY:
        found += missing_data(project, world)
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


def failures_of(
    comparison: Comparison | None, new: State, context: Context, world: World
) -> Sequence[Failure]:
    """Return the nodes that have no catalog after the change; ``world`` has the modules."""
    if comparison is None:
        return ()
    project = context.project
    has_hiera = context.fields["hiera_config"] is not None
    lacks = Lacks(project, world, has_hiera=has_hiera)
    found = []
    for node in comparison.nodes:
        sides = dict(node.findings)
        if new.name in sides:
            failed_before = len(sides) > 1
            finding = lacks.explained(sides[new.name])
            cause = lacks.cause(finding, before=failed_before)
            found.append(Failure(node.node, finding, failed_before, cause))
    return found
