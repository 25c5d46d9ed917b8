"""The nodes of a job that cannot do without any: those with facts, or nodes that stand for a site."""

from __future__ import annotations

from bunraku.base.usage import UsageError
from bunraku.jobs.context import Context
from bunraku.jobs.nodes import NodeOptions, NodePlan, has_nodes, nodes_with_facts


def needed_plan(options: NodeOptions, context: Context) -> NodePlan:
    """Return the nodes of a job; raise UsageError if there are none. The observer gets what is assumed."""
    if has_nodes(context) and not (options.os or options.classes or options.facterdb):
        return NodePlan(nodes_with_facts(context, options.match))
    from bunraku.jobs.node_plan import node_plan

    plan = node_plan(options, context)
    if not plan.files:
        raise UsageError("; ".join(plan.unknown or plan.notes))
    for note in (*plan.notes, *plan.unknown):
        context.observer.note(note)
    return plan
