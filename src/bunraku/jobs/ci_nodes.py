"""The nodes that ``ci`` compiles: real ones, or classes on operating systems."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.engine.request import Request
from bunraku.facts.facterdb import FactSet, all_fact_sets, fact_sets
from bunraku.jobs.context import Context
from bunraku.jobs.nodes import has_nodes, matches, nodes_with_facts
from bunraku.project.missing import shortened
from bunraku.project.model import MODULE
from bunraku.workbench.ci.module_classes import entry_classes, supported_systems, usual_machine
from bunraku.workbench.ci.onceover import FILE, onceover_nodes
from bunraku.workbench.ci.role_nodes import RoleNode, classes_of, role_nodes, roles_of
from bunraku.world.machine import Machine
from bunraku.world.protocol import World

NO_NODES = (
    "no nodes were compiled: no facts files were found; put NODE.yaml or NODE.json into a directory "
    f"facts, or give --facts-folder, --facts-from or --os, or write {FILE}"
)
NO_ROLES = "no nodes were compiled: the modulepath has no module role or roles with classes"
NO_CLASSES = "no nodes were compiled: the module has no public class"
NO_SYSTEMS = "no nodes were compiled: metadata.json names no operating systems; give --os"


@record()
class NodePlan:
    """The nodes to compile: facts files and classes by name; None for facts of ``--facts-from``.

    ``unknown`` says what is not compiled, and why; ``notes`` say what else matters. ``request_for``
    returns the request of a directory,
    unless it is that of a control repository.
    """

    files: Mapping[str, str | None] = field(default_factory=dict)
    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    request_for: Callable[[str, World], Request] | None = None


@record()
class NodeOptions:
    """Which nodes are compiled: patterns of their names, or classes on operating systems."""

    match: Sequence[str] = ()
    os: Sequence[str] = ()
    facterdb: str | None = None


def node_plan(options: NodeOptions, context: Context) -> NodePlan:
    """Return the nodes of a project."""
    try:
        if context.project.kind == MODULE:
            return plan_of_module(options, context)
        if has_nodes(context) and not options.os:
            if options.facterdb:
                raise UsageError(
                    "--facterdb has no effect where nodes have facts; give --os NAME, too"
                )
            return NodePlan(nodes_with_facts(context, options.match))
        return plan_of_roles(options, context)
    except PuppetError as error:
        raise InvalidInput(error) from error


def plan_of_roles(options: NodeOptions, context: Context) -> NodePlan:
    """Return the roles on the operating systems of ``--os``, or what ``onceover.yaml`` names."""
    world, project = Machine(), context.project
    modulepath = project.value("modulepath", ())
    if options.os:
        systems = fact_sets(options.facterdb, options.os)
        nodes = role_nodes(roles_of(modulepath, world), systems)
        return plan_of(options, nodes, NO_ROLES)
    installed = [os.path.join(project.root, one) for one in project.value("exclude", ())]
    classes = classes_of(modulepath, installed, world)
    tested = onceover_nodes(project.root, classes, options.facterdb, world)
    return plan_of(options, tested or [], NO_NODES)


def plan_of(options: NodeOptions, nodes: Sequence[RoleNode], reason: str) -> NodePlan:
    """Return the plan for nodes with one class each; ``reason`` says why there are none."""
    nodes = [one for one in nodes if matches(one.name, options.match)]
    return NodePlan(
        {one.name: one.facts_file for one in nodes},
        {one.name: [one.role] for one in nodes},
        unknown=[] if nodes else [reason],
    )


# -- modules -------------------------------------------------------------------------------------


def plan_of_module(options: NodeOptions, context: Context) -> NodePlan:
    """Return the public classes of a module on the operating systems that it supports."""
    world, project = Machine(), context.project
    classes = entry_classes(project.root, project.name, context.dialect, world)
    if not classes:
        return NodePlan(notes=[NO_CLASSES])
    systems, notes = systems_of(options, context)
    plan = plan_of(options, role_nodes(classes, systems), NO_SYSTEMS)
    if notes and not systems:
        plan.unknown = notes
    else:
        plan.notes = notes
    plan.request_for = partial(module_request, context)
    return plan


def systems_of(options: NodeOptions, context: Context) -> tuple[Sequence[FactSet], list[str]]:
    """Return the fact sets of the supported operating systems, and a note about those without one."""
    if options.os:
        return fact_sets(options.facterdb, options.os), []
    supported = supported_systems(context.project.root, Machine())
    known = all_fact_sets(options.facterdb)
    found = {system: usual_machine(known, system) for system in supported}
    unknown = [system for system, one in found.items() if one is None]
    systems = {one.name: one for one in found.values() if one is not None}
    notes = [f"there are no facts of {shortened(unknown)}"] if unknown else []
    return list(systems.values()), notes


def module_request(context: Context, directory: str, world: World) -> Request:
    """Return the request for a state of a module, with the dependencies of the working tree."""
    modules = {**context.fields["modules"], context.project.name: directory}
    fields = context.node_fields("", {})
    fields["facts"] = context.facts_of_all
    return Request(
        code="", cycles=True, **fields, **{**context.fields, "modules": modules}, world=world
    )
