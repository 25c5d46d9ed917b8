"""The nodes that ``bunraku ci`` compiles: real ones, or classes on operating systems."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.usage import UsageError
from bunraku.cli.diff.repository import chosen, nodes_of
from bunraku.cli.options.facts_file import read_facts, wrong_input
from bunraku.cli.options.language import dialect_for
from bunraku.cli.options.node import node_fields
from bunraku.cli.options.project import ProjectOptions
from bunraku.engine.request import Request
from bunraku.facts.facterdb import FactSet, all_fact_sets, fact_sets
from bunraku.facts.issues import FACTERDB_MISSING
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

    ``notes`` say what is not compiled, and why. ``request_for`` returns the request of a directory,
    unless it is that of a control repository.
    """

    files: Mapping[str, str | None] = field(default_factory=dict)
    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    request_for: Callable[[str, World], Request] | None = None


def has_nodes(options: argparse.Namespace) -> bool:
    """Return whether the facts of nodes are known."""
    return bool(options.facts_folder or options.facts_from)


def node_plan(options: argparse.Namespace, place: ProjectOptions) -> NodePlan:
    """Return the nodes of a project."""
    try:
        if place.project.kind == MODULE:
            return plan_of_module(options, place)
        if has_nodes(options) and not options.os:
            if options.facterdb:
                raise UsageError(
                    "--facterdb has no effect where nodes have facts; give --os NAME, too"
                )
            return NodePlan(nodes_of(options))
        return plan_of_roles(options, place)
    except PuppetError as error:
        raise wrong_input(error) from error


def plan_of_roles(options: argparse.Namespace, place: ProjectOptions) -> NodePlan:
    """Return the roles on the operating systems of ``--os``, or what ``onceover.yaml`` names."""
    world, project = Machine(), place.project
    modulepath = project.value("modulepath", ())
    if options.os:
        systems = fact_sets(options.facterdb, options.os)
        nodes = role_nodes(roles_of(modulepath, world), systems)
        return plan_of(options, nodes, NO_ROLES)
    installed = [os.path.join(project.root, one) for one in project.value("exclude", ())]
    classes = classes_of(modulepath, installed, world)
    tested = onceover_nodes(project.root, classes, options.facterdb, world)
    return plan_of(options, tested or [], NO_NODES)


def plan_of(options: argparse.Namespace, nodes: Sequence[RoleNode], reason: str) -> NodePlan:
    """Return the plan for nodes with one class each; ``reason`` says why there are none."""
    nodes = [one for one in nodes if chosen(options, one.name)]
    return NodePlan(
        {one.name: one.facts_file for one in nodes},
        {one.name: [one.role] for one in nodes},
        [] if nodes else [reason],
    )


# -- modules -------------------------------------------------------------------------------------


def plan_of_module(options: argparse.Namespace, place: ProjectOptions) -> NodePlan:
    """Return the public classes of a module on the operating systems that it supports."""
    world, project = Machine(), place.project
    classes = entry_classes(project.root, project.name, dialect_for(options), world)
    systems, notes = systems_of(options, place)
    plan = plan_of(options, role_nodes(classes, systems), NO_CLASSES if systems else NO_SYSTEMS)
    plan.notes = notes if notes and not systems else [*notes, *plan.notes]
    plan.request_for = partial(module_request, options, place)
    return plan


def systems_of(
    options: argparse.Namespace, place: ProjectOptions
) -> tuple[Sequence[FactSet], list[str]]:
    """Return the fact sets of the supported operating systems, and notes about missing ones."""
    if options.os:
        return fact_sets(options.facterdb, options.os), []
    supported = list(supported_systems(place.project.root, Machine()))
    try:
        known = all_fact_sets(options.facterdb)
    except PuppetError as error:
        if options.facterdb or error.diagnostic.code != FACTERDB_MISSING.code:
            raise
        return [], [f"no nodes were compiled: {error}; {error.diagnostic.hint}"]
    found = {system: usual_machine(known, system) for system in supported}
    unknown = [system for system, one in found.items() if one is None]
    systems = {one.name: one for one in found.values() if one is not None}
    notes = [f"FacterDB has no facts of {shortened(unknown)}"] if unknown else []
    return list(systems.values()), notes


def module_request(
    options: argparse.Namespace, place: ProjectOptions, directory: str, world: World
) -> Request:
    """Return the request for a state of a module, with the dependencies of the working tree."""
    modules = {**place.fields["modules"], place.project.name: directory}
    fields = node_fields(options, "", {})
    fields["facts"] = read_facts(options.facts) if options.facts else {}
    return Request(code="", **fields, **{**place.fields, "modules": modules}, world=world)
