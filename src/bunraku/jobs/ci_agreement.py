"""Whether an installed Puppet compiles the catalogs that bunraku compiles (``--against``)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.usage import UsageError
from bunraku.engine.nodes import compile_tasks
from bunraku.engine.request import MACHINE
from bunraku.engine.revisions import node_tasks
from bunraku.jobs.compare import CompareCatalogs
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.jobs.context import Context
from bunraku.jobs.nodes import NodePlan
from bunraku.workbench.ci.installed_puppet import (
    InstalledPuppet,
    installed_puppet,
    reference_site,
    sample_of,
    subject_of,
)

OURS = "bunraku"


@record()
class Agreement:
    """The nodes that Puppet compiled, too: ``nodes`` compares its catalogs (old) with bunraku's (new).

    ``failed`` has the reasons for which Puppet made no catalog, by node. ``left_out`` are nodes that
    collect exported resources: this Puppet has no PuppetDB.
    """

    version: str
    nodes: list[NodeComparison] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    @property
    def different(self) -> list[NodeComparison]:
        """The nodes of which Puppet makes another catalog."""
        return [one for one in self.nodes if one.status != "same"]

    @property
    def disagreements(self) -> int:
        """The number of nodes with another catalog, or without one."""
        return len(self.different) + len(self.failed)

    @property
    def comparison(self) -> Comparison:
        """The comparisons as ``bunraku diff`` reports them."""
        return Comparison(f"Puppet {self.version}", OURS, self.nodes)


def classes_of(plan: NodePlan, node: str) -> Sequence[str]:
    """Return the classes that a node has beyond those of its node definition and of a classifier."""
    stand_in = plan.stand_ins.get(node)
    return () if stand_in is None else stand_in.classes or ()


def puppet_of(against: str | None) -> InstalledPuppet | None:
    """Return the Puppet that ``against`` names; raise UsageError if it does not start."""
    if against is None:
        return None
    try:
        return installed_puppet(against)
    except PuppetError as error:
        raise UsageError(f"--against: {error}") from error


def agreement(
    context: Context,
    puppet: InstalledPuppet,
    sample: int,
    plan: NodePlan,
    comparison: Comparison,
    compare_both: CompareCatalogs,
) -> Agreement:
    """Return whether Puppet makes the same catalogs of a sample of nodes in the working tree."""
    working = [
        one for one in comparison.nodes if one.status != "failed" and one.node not in plan.only_here
    ]
    changed = [one.node for one in working if one.status == "differs"]
    names = sample_of([one.node for one in working], changed, sample)
    request = (plan.request_for or context.request_in)(context.project.root, MACHINE)
    files = {name: plan.files[name] for name in names}
    tasks = node_tasks(request, files, context.limits, plan.stand_ins)
    outcomes = compile_tasks(tasks, jobs=context.options.jobs)
    found = Agreement(puppet.version)
    with reference_site(puppet, request) as site:
        for task, outcome in zip(tasks, outcomes, strict=True):
            if outcome.collects:
                found.left_out.append(task.node)
                continue
            try:
                theirs = site.compile(subject_of(task, classes_of(plan, task.node)))
            except PuppetError as error:
                found.failed[task.node] = error.diagnostic.message
                continue
            difference = compare_both(theirs, json.loads(outcome.text or "{}"))
            found.nodes.append(NodeComparison(task.node, difference))
    return found
