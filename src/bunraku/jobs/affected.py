"""The nodes that a change of a control repository can reach."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.engine.affected import Affected, ChangedFiles, Reason, find_affected
from bunraku.engine.request import Request
from bunraku.engine.revisions import Side, State
from bunraku.jobs.compare import known_states, own_sides, wrong_revision
from bunraku.jobs.compare_sources import StateContents
from bunraku.jobs.context import Context
from bunraku.jobs.failure_notes import lacking_parts
from bunraku.jobs.needed_nodes import needed_plan
from bunraku.jobs.nodes import NodeOptions, node_compiler
from bunraku.jobs.revision_modules import change_from


@record(frozen=True)
class AffectedNodes:
    """The nodes with their reasons; ``old`` and ``new`` name the states of the repository.

    ``lacking`` has a sentence for each part of the project that is missing, if a node does not compile.
    """

    old: str
    new: str
    nodes: Sequence[Affected]
    lacking: Sequence[str] = ()

    @property
    def reached(self) -> list[Affected]:
        """The nodes that the change can reach, with those of which that is not known."""
        return [one for one in self.nodes if one.reasons]

    @property
    def unknown(self) -> list[Affected]:
        """The nodes that do not compile before the change: what it reaches is not known."""
        return [one for one in self.nodes if any(map(is_failure, one.reasons))]


def changed_files(
    context: Context, both: Sequence[Side], requests: Sequence[Request]
) -> ChangedFiles:
    """Return what finds the files behind the sources of a catalog that differ."""
    return StateContents(context, both, requests).changed_files


def affected(revisions: Sequence[str], context: Context, chosen: NodeOptions) -> AffectedNodes:
    """Return the nodes that the change between two states can reach, without compiling the new one.

    ``revisions`` are those of ``git diff``; without any, HEAD is compared with the working tree.
    Raises UsageError.
    """
    root = context.project.root
    states = known_states(root, revisions)
    plan = needed_plan(chosen, context)
    try:
        with node_compiler(context, len(plan.files)) as compile_all:
            nodes = find_affected(
                root,
                states,
                context.request_in,
                plan.files,
                compile_all=compile_all,
                limits=context.limits,
                sources_of=partial(changed_files, context),
                stand_ins=plan.stand_ins,
                sides=partial(own_sides, context),
            )
        if is_same(root, states):  # also for nodes of which nothing is known
            nodes = [Affected(one.node, ()) for one in nodes]
    except PuppetError as error:
        raise wrong_revision(error) from error
    result = AffectedNodes(states[0].title, states[1].title, nodes)
    lacking = lacking_parts(context) if result.unknown else ()
    return replace(result, lacking=lacking)


def is_same(root: str, states: tuple[State, State]) -> bool:
    """Return whether no file differs between two states."""
    old, new = states
    if new.commit is not None or old.commit is None:
        return old.commit == new.commit
    return change_from(root, old.commit).is_empty


def is_failure(reason: Reason) -> bool:
    """Return whether a node is listed because it does not compile before the change."""
    return reason.kind == "failed"


def affected_summary(result: AffectedNodes) -> list[str]:
    """Return the number of nodes, and what is not known, in lines.

    >>> from bunraku.engine.affected import Affected, Reason
    >>> nodes = [Affected("a", (Reason("failed", "UNKNOWN_CLASS"),)), Affected("b", ())]
    >>> affected_summary(AffectedNodes("HEAD", "x", nodes, ["1 of 2 modules are not installed"]))
    ['not known: 1 of 2 modules are not installed', '0 of 2 nodes affected, 1 not known: no catalog in HEAD']
    """
    total, unknown = len(result.nodes), len(result.unknown)
    reached = len(result.reached) - unknown
    rest = f", {unknown} not known: no catalog in {result.old}" if unknown else ""
    return [
        *(f"not known: {one}" for one in result.lacking),
        f"{reached} of {total} nodes affected{rest}",
    ]


def affected_data(result: AffectedNodes) -> dict[str, Any]:
    """Return the nodes for programs, those without reasons too."""
    nodes = [
        {
            "node": one.node,
            "affected": bool(one.reasons),
            "reasons": [
                {"kind": reason.kind, "name": reason.name}
                | ({} if reason.path is None else {"path": reason.path})
                for reason in one.reasons
            ],
        }
        for one in result.nodes
    ]
    return {
        "schema": 1,
        "old": result.old,
        "new": result.new,
        "affected": len(result.reached),
        "nodes": nodes,
    }
