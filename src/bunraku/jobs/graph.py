"""Graphs of the catalogs of nodes, or of their differences."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.base.usage import UsageError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_resolved
from bunraku.engine.request import resolve
from bunraku.jobs.compare import (
    CompareOptions,
    compare_sides,
    content_of,
    known_states,
    own_sides,
    read_side,
)
from bunraku.jobs.compile import CodeOrManifest, compile_request
from bunraku.jobs.context import Context
from bunraku.jobs.needed_nodes import needed_plan
from bunraku.jobs.nodes import NodeOptions
from bunraku.limits.limits import Limited
from bunraku.runtime.state import Scope
from bunraku.workbench.graph.build import graph_of
from bunraku.workbench.graph.difference import difference_graph
from bunraku.workbench.graph.flow import flow_graph
from bunraku.workbench.graph.includes import includes_graph
from bunraku.workbench.graph.model import Graph, GraphKind, of_kinds
from bunraku.workbench.origins.origins import Origins

COMPARED: tuple[GraphKind, ...] = ("relationships", "containment")
"""The kinds that a catalog alone has."""
OF_COMPILES = {"includes": includes_graph, "data": flow_graph}
"""The kinds that only a compile knows → the functions that make their graphs."""


@record()
class GraphOptions:
    """What is drawn: catalogs of nodes by name, of code, or in a file, and which kinds of edges.

    ``compare`` is the path of an older catalog, or one or two revisions as for ``bunraku diff``. Without nodes,
    revisions are compared for all nodes.
    """

    kinds: Sequence[GraphKind] = ("relationships",)
    nodes: Sequence[str] = ()
    code: CodeOrManifest = field(default_factory=CodeOrManifest)
    catalog: str | None = None
    compare: str | None = None


def graphs(context: Context, options: GraphOptions) -> list[Graph]:
    """Return a graph for each node. Raises UsageError, and PuppetError for a node that does not compile."""
    return [of_kinds(graph, options.kinds) for graph in whole_graphs(context, options)]


def whole_graphs(context: Context, options: GraphOptions) -> Iterator[Graph]:
    """Yield the graphs with all kinds of edges that are known."""
    check_graph_options(options)
    if options.nodes and context.options.node:
        raise UsageError("give NODE or --node, not both")
    if options.compare is not None and not os.path.exists(options.compare):
        yield from revision_graphs(context, options)
    elif options.compare is not None:
        old = Catalog(read_side(content_of(options.compare), options.compare))
        for name, new, _ in catalogs(context, options):
            yield difference_graph(old, new, (options.compare, name))
    else:
        for _, catalog, more in catalogs(context, options):
            yield graph_of(catalog, more)


def check_graph_options(options: GraphOptions) -> None:
    """Raise UsageError for options that contradict each other."""
    code = options.code
    if options.catalog is not None and (options.nodes or code.code is not None or code.path):
        raise UsageError("give a node, -e CODE or --catalog FILE, not several of them")
    if options.catalog is not None or options.compare is not None:
        unknown = [kind for kind in options.kinds if kind not in COMPARED]
        if unknown:
            what = "--catalog" if options.catalog is not None else "--compare"
            raise UsageError(
                f"{what}: a catalog does not say its {unknown[0]}; "
                f"expected kinds {' and '.join(COMPARED)}"
            )


def catalogs(
    context: Context, options: GraphOptions
) -> Iterator[tuple[str, Catalog, Sequence[Graph]]]:
    """Yield the catalogs with what they are named in a comparison, and what only a compile knows of them."""
    if options.catalog is not None:
        yield options.catalog, Catalog(read_side(content_of(options.catalog), options.catalog)), ()
        return

    def in_scope(scope: Scope) -> list[Graph]:
        origins = Origins(scope.compilation)
        return [make(origins) for kind, make in OF_COMPILES.items() if kind in options.kinds]

    for own in contexts(context, options.nodes):
        request = compile_request(own, options.code)
        with Limited(context.limits):
            resolved = resolve(request, context.observer.log)
            compiled, more = compile_resolved(resolved, then=in_scope)
        yield request.node, Catalog(catalog_to_data(compiled)), more


def contexts(context: Context, nodes: Sequence[str]) -> Iterator[Context]:
    """Yield a context for each node; the context itself without any."""
    if not nodes:
        yield context
    for node in nodes:
        yield context_for(context, node)


def context_for(context: Context, node: str | None) -> Context:
    """Return the context of another node, or of none."""
    options = replace(context.options, node=node)
    return Context(options, context.observer, below=context.below, named=context.named)


def revision_graphs(context: Context, options: GraphOptions) -> Iterator[Graph]:
    """Yield the differences of the catalogs of nodes in two states of a repository."""
    assert options.compare is not None  # the caller has one
    root = context.project.root
    states = known_states(root, [options.compare])
    names = options.nodes or [node for node in [context.options.node] if node is not None]
    context = context_for(context, None)
    plan = needed_plan(NodeOptions(names), context)
    found: list[Graph] = []

    def seen(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> None:
        if old is not None and new is not None:
            names = states[0].title, states[1].title
            found.append(difference_graph(Catalog(old), Catalog(new), names))

    with own_sides(context, root, states) as both:
        compared = compare_sides(
            context,
            both,
            CompareOptions(sources=False, causes=False),
            plan.files,
            plan.stand_ins,
            seen=seen,
        )
    for node in compared.nodes:
        if node.findings:
            name, finding = node.findings[0]
            raise PuppetError(replace(finding, message=f"{finding.message} ({node.node}, {name})"))
    yield from found
