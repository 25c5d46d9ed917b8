"""The nodes that a job compiles: those with facts, or nodes that stand for the classes of a project."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial

from bunraku.base.errors import PuppetError
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.engine.nodes import StandIn
from bunraku.engine.request import Request, resolve
from bunraku.facts.facterdb import FactSet, all_fact_sets, fact_set, fact_sets
from bunraku.jobs.context import Context
from bunraku.jobs.nodes import NodeOptions, NodePlan, has_nodes, matches, nodes_with_facts
from bunraku.project.missing import shortened
from bunraku.project.model import MODULE
from bunraku.project.puppetfile import installed_directories
from bunraku.workbench.ci.assumed_systems import assumed_systems, module_directories
from bunraku.workbench.ci.module_classes import entry_classes, supported_systems, usual_machine
from bunraku.workbench.ci.onceover import FILE, read_onceover
from bunraku.workbench.ci.role_nodes import PROFILE_MODULES, ROLE_MODULES, Systems
from bunraku.workbench.ci.site import ControlSite, control_site
from bunraku.world.machine import Machine
from bunraku.world.protocol import World

NO_NODES = (
    "no nodes were compiled: there are no facts of nodes, and neither roles, profiles, node definitions "
    "nor data name any; put NODE.yaml or NODE.json into a directory facts, or give --facts-folder, "
    "--facts-from or --classes"
)
ADD_FACT_SETS = "put NODE.json into spec/factsets, or install FacterDB"
NO_MATCH = "no nodes were compiled: no class matches --classes"
NO_CLASSES = "no nodes were compiled: the module has no public class"
NO_SYSTEMS = "no nodes were compiled: metadata.json names no operating systems; give --os"


def node_plan(options: NodeOptions, context: Context) -> NodePlan:
    """Return the nodes of a project."""
    given = "--os" if options.os else "--classes" if options.classes else ""
    if given and (context.options.facts_folder or context.options.facts_from):
        raise UsageError(f"give {given} or facts of nodes, not both")
    try:
        if context.project.kind == MODULE:
            return plan_of_module(options, context)
        if has_nodes(context) and not given:
            if options.facterdb:
                raise UsageError(
                    "--facterdb has no effect where nodes have facts; give --os NAME, too"
                )
            return NodePlan(nodes_with_facts(context, options.match))
        return plan_of_site(options, context)
    except PuppetError as error:
        raise InvalidInput(error) from error


def plan_of_site(options: NodeOptions, context: Context) -> NodePlan:
    """Return nodes that stand for what a control repository has, on operating systems."""
    world, project = Machine(), context.project
    installed = [os.path.join(project.root, one) for one in installed_directories(project, world)]
    request = Request(**context.fields, path=context.manifest, node_classes=())
    site = control_site(
        project.root,
        resolve(request, lambda _entry: None),
        installed,
        context.fields.get("hiera_config"),
    )
    environment = context.options.environment
    unknown: list[str] = []
    if not options.os and not options.classes:
        classes = site.classes_like("*")
        tested = read_onceover(project.root, classes, options.facterdb, environment, world)
        if tested is not None and tested.unknown:
            unknown = [f"no facts of {shortened(list(tested.unknown))} in {FILE}: {ADD_FACT_SETS}"]
        if tested is not None and tested.nodes:
            plan = plan_of(options, tested.nodes, NO_NODES)
            plan.unknown += unknown
            plan.only_here = {name for name, one in tested.nodes.items() if one.manifests}
            plan.later_manifests = tested.functions
            return plan
    systems = systems_of_site(options, site)
    nodes = stand_ins(options, site, Systems.of(systems, environment))
    plan = plan_of(options, nodes, NO_MATCH if options.classes else NO_NODES)
    with_only_here(plan, site)
    plan.unknown += unknown
    if plan.files and not options.os:
        plan.notes = [assumption(list(plan.files), [one.name for one in systems])]
    return plan


def with_only_here(plan: NodePlan, site: ControlSite) -> NodePlan:
    """Return the plan; it now says which nodes Puppet cannot compile."""
    if site.has_node_definitions():
        own = plan.stand_ins.items()
        plan.only_here = {name for name, one in own if one.classes is not None}
    return plan


def systems_of_site(options: NodeOptions, site: ControlSite) -> list[FactSet]:
    """Return the facts of operating systems: those of ``--os``, or assumed ones."""
    if options.os:
        return fact_sets(options.facterdb, options.os)
    folders = dict.fromkeys(os.path.dirname(path) for path in site.modules.values())
    modules = module_directories(folders, (*ROLE_MODULES, *PROFILE_MODULES))
    names = assumed_systems(site.data, modules, site.resolved.world)
    return [fact_set(options.facterdb, one) for one in names]


def stand_ins(options: NodeOptions, site: ControlSite, systems: Systems) -> dict[str, StandIn]:
    """Return the nodes that stand for a site: for classes of ``--classes``, or for roles and named nodes."""
    if options.classes:
        return systems.with_classes(site.classes_like(options.classes))
    found = systems.with_classes(site.roles())
    for variable, values in site.role_values().items():
        found |= systems.with_values(variable, values)
    found |= systems.named(site.nodes())
    if not found:
        found = systems.named(site.sample_nodes())
    if not found and site.has_code_for_every_node():
        return systems.unnamed(None if site.has_default_node() else ())
    return found


def assumption(nodes: Sequence[str], systems: Sequence[str]) -> str:
    """Return the sentence that says which facts are assumed."""
    used = [one for one in systems if any(node.endswith(f".{one}") for node in nodes)]
    names = " or ".join(one.removesuffix("-x86_64") for one in used or systems[:1])
    what = "1 node is" if len(nodes) == 1 else f"{len(nodes)} nodes are"
    return (
        f"no facts of nodes are known: {what} compiled with those of {names}; "
        "--os NAME selects others, facts/NODE.yaml has those of a node"
    )


def plan_of(options: NodeOptions, nodes: Mapping[str, StandIn], reason: str) -> NodePlan:
    """Return the plan for nodes that no site has; ``reason`` says why there are none."""
    chosen = {name: nodes[name] for name in sorted(nodes) if matches(name, options.match)}
    return NodePlan(dict.fromkeys(chosen), chosen, unknown=[] if chosen else [reason])


# -- modules -------------------------------------------------------------------------------------


def plan_of_module(options: NodeOptions, context: Context) -> NodePlan:
    """Return the public classes of a module on the operating systems that it supports."""
    world, project = Machine(), context.project
    classes = entry_classes(project.root, project.name, context.dialect, world)
    classes = [one for one in classes if matches(one, options.classes)]
    if not classes:
        return NodePlan(notes=[NO_MATCH if options.classes else NO_CLASSES])
    found, notes = systems_of(options, context)
    systems = Systems.of(found, context.options.environment)
    plan = plan_of(options, systems.with_classes(classes), NO_SYSTEMS)
    if notes and not found:
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
