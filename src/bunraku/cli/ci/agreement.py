"""Whether an installed Puppet compiles the catalogs that bunraku compiles (``--against``)."""

from __future__ import annotations

import argparse
import json
from functools import partial

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.usage import UsageError
from bunraku.cli.ci.nodes import NodePlan
from bunraku.cli.diff.groups import Comparison, Report
from bunraku.cli.diff.repository import request_for
from bunraku.cli.diff.revisions import Compare
from bunraku.cli.options.shared import limits_of
from bunraku.engine.nodes import compile_tasks
from bunraku.engine.request import MACHINE
from bunraku.engine.revisions import node_tasks
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
    """The nodes that Puppet compiled, too: ``nodes`` compares its catalogs (old) with ours (new).

    ``failed`` has the reasons for which Puppet made no catalog, by node. ``left_out`` are nodes that
    collect exported resources: this Puppet has no PuppetDB.
    """

    version: str
    nodes: list[Comparison] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    @property
    def different(self) -> list[Comparison]:
        """The nodes of which Puppet makes another catalog."""
        return [one for one in self.nodes if one.status != "same"]

    @property
    def disagreements(self) -> int:
        """The number of nodes with another catalog, or without one."""
        return len(self.different) + len(self.failed)

    @property
    def report(self) -> Report:
        """The comparisons as ``bunraku diff`` reports them."""
        return Report(f"Puppet {self.version}", OURS, self.nodes)


def puppet_of(options: argparse.Namespace) -> InstalledPuppet | None:
    """Return the Puppet that ``--against`` names; raise UsageError if it does not start."""
    if options.against is None:
        return None
    try:
        return installed_puppet(options.against)
    except PuppetError as error:
        raise UsageError(f"--against: {error}") from error


def agreement(
    options: argparse.Namespace,
    puppet: InstalledPuppet,
    root: str,
    plan: NodePlan,
    comparison: Report,
    compare_both: Compare,
) -> Agreement:
    """Return whether Puppet makes the same catalogs of a sample of nodes in the working tree."""
    working = [one for one in comparison.nodes if one.status != "failed"]
    changed = [one.node for one in working if one.status == "differs"]
    names = sample_of([one.node for one in working], changed, options.sample)
    request = (plan.request_for or partial(request_for, options))(root, MACHINE)
    files = {name: plan.files[name] for name in names}
    tasks = node_tasks(request, files, limits_of(options), plan.classes)
    outcomes = compile_tasks(tasks, jobs=options.jobs)
    found = Agreement(puppet.version)
    with reference_site(puppet, request) as site:
        for task, outcome in zip(tasks, outcomes, strict=True):
            if outcome.collects:
                found.left_out.append(task.node)
                continue
            try:
                theirs = site.compile(subject_of(task, plan.classes.get(task.node, ())))
            except PuppetError as error:
                found.failed[task.node] = error.diagnostic.message
                continue
            difference = compare_both(theirs, json.loads(outcome.text or "{}"))
            found.nodes.append(Comparison(task.node, difference))
    return found
