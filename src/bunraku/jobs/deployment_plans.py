"""Plans of deployments: what the catalogs of an environment's nodes become, before anything is switched."""

from __future__ import annotations

import os
from collections.abc import Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.base.usage import UsageError
from bunraku.deployment import issues
from bunraku.deployment.deploy import Deployer, EnvironmentResult
from bunraku.deployment.deployed import reported
from bunraku.deployment.environment_plan import PreparedEnvironment
from bunraku.deployment.r10k_settings import R10kSettings
from bunraku.deployment.site_contents import Log
from bunraku.jobs.change_groups import groups_of
from bunraku.jobs.compare import CompareOptions
from bunraku.jobs.comparison import Comparison
from bunraku.jobs.context import Context
from bunraku.jobs.deploy import Deployment, DeployOptions, DeployResult, deploy
from bunraku.jobs.environment_comparison import (
    LIVE,
    PLANNED,
    EnvironmentNodes,
    compared_environment,
    nodes_for,
)
from bunraku.jobs.plan_conditions import Condition, PlannedNodes
from bunraku.jobs.plan_file import SavedPlan, digest_of, moved, planned_state, read_plan

OPTIONS = ("modules", "incremental", "branch_override", "force", "locked")
"""Options of a deployment that its plan has."""


@record()
class PlanOptions:
    """What counts as a change of a catalog, and the conditions that a deployment must meet."""

    compare: CompareOptions = field(default_factory=CompareOptions)
    conditions: Sequence[Condition] = ()


@record()
class DeploymentPlan:
    """What a deployment changes: files, modules and catalogs. ``unmet`` are conditions with reasons."""

    environment: str
    result: EnvironmentResult
    comparison: Comparison
    saved: SavedPlan
    unmet: list[tuple[Condition, str]] = field(default_factory=list)
    note: str = ""

    @property
    def nodes(self) -> PlannedNodes:
        """The nodes that change."""
        return self.saved.nodes


def plan_deployment(
    options: DeployOptions, planning: PlanOptions, context: Context, log: Log
) -> DeploymentPlan:
    """Return the plan for the deployment of one environment. Nothing but the store is changed.

    Raise PuppetError for settings that cannot be used, and content that cannot be had; UsageError.
    """
    site = Deployment(options, log)
    unknown = DeployResult()
    chosen = site.chosen(unknown)
    if unknown.unknown:
        raise unknown.unknown[0]
    if len(chosen) != 1:
        raise UsageError("a plan is that of one environment: give its name", "deploy")
    deployer = Deployer(site.contents, site.rules(), log, site.contents_of)
    made = EnvironmentResult(chosen[0])
    with site.states(site.environments) as states:
        state = states[os.path.realpath(chosen[0].basedir)]
        prepared = deployer.prepare(state, chosen[0], made)
        if prepared is None:
            findings = [finding for error in made.errors for finding in error]
            raise PuppetError(findings[0], findings[1:])
        return planned(site, prepared, planning, context, made)


def planned(
    site: Deployment,
    prepared: PreparedEnvironment,
    planning: PlanOptions,
    context: Context,
    result: EnvironmentResult,
) -> DeploymentPlan:
    """Return the plan for an environment that is prepared. Raise PuppetError and UsageError."""
    context = with_puppet_conf(context, site.settings)
    environment = prepared.plan.environment
    name = environment.directory_name
    nodes = nodes_for(context, name, planning.compare)
    if nodes.note:
        context.observer.note(nodes.note)
    with reported(environment.path):
        comparison = compared_environment(context, prepared, nodes, planning.compare)
    saved = saved_plan(site.options, prepared, comparison, nodes)
    plan = DeploymentPlan(name, result, comparison, saved, note=nodes.note)
    for condition in planning.conditions:
        reason = condition.reason_against(saved.nodes, saved.digest)
        if reason:
            plan.unmet.append((condition, reason))
    return plan


def with_puppet_conf(context: Context, settings: R10kSettings) -> Context:
    """Return a context with the settings of the server's puppet.conf, if that is there."""
    path = settings.deploy.puppet_conf
    if context.options.config is not None or not os.path.isfile(path):
        return context
    return Context(replace(context.options, config=path), context.observer)


def saved_plan(
    options: DeployOptions,
    prepared: PreparedEnvironment,
    comparison: Comparison,
    nodes: EnvironmentNodes,
) -> SavedPlan:
    """Return what is saved of a plan."""
    environment = prepared.plan.environment
    shown = [[group.title, *map(list, group.lines())] for group in groups_of(comparison.nodes)]
    return SavedPlan(
        environment=environment.directory_name,
        path=environment.path,
        options={name: getattr(options, name) for name in OPTIONS},
        nodes=planned_nodes(comparison),
        changes=digest_of(shown),
        facts=nodes.digest,
        **planned_state(prepared),
    )


def planned_nodes(comparison: Comparison) -> PlannedNodes:
    """Return the nodes that change, those that compiled before and would not any more, and unknown ones.

    A node that does not compile now, and would, gets a new catalog: it changes.
    """
    failed = {one.node: [name for name, _finding in one.findings] for one in comparison.nodes}
    broken = [node for node, sides in failed.items() if sides == [PLANNED]]
    changed = [
        one.node
        for one in comparison.nodes
        if one.status == "differs" or failed[one.node] == [LIVE]
    ]
    known = {*changed, *broken}
    unknown = [node for node, sides in failed.items() if sides and node not in known]
    return PlannedNodes(tuple(changed), tuple(broken), len(comparison.nodes), tuple(unknown))


def deploy_with_conditions(
    options: DeployOptions, planning: PlanOptions, context: Context, log: Log
) -> DeployResult:
    """Deploy environments; one that does not meet the conditions stays as it is."""

    def check(site: Deployment, prepared: PreparedEnvironment) -> None:
        made = EnvironmentResult(prepared.plan.environment)
        found = planned(site, prepared, planning, context, made)
        if found.unmet:
            raise unmet_error(prepared.plan.environment.path, found.unmet)

    return deploy(options, log, check)


def unmet_error(path: str, unmet: Sequence[tuple[Condition, str]]) -> PuppetError:
    """Return the error for conditions that are not met."""
    reasons = "; ".join(f"{condition.text}: {reason}" for condition, reason in unmet)
    return issues.PLAN_UNMET(path=path, reasons=reasons)


def apply_plan(
    path: str, options: DeployOptions, conditions: Sequence[Condition], log: Log
) -> DeployResult:
    """Deploy exactly what a saved plan says; refuse it if something changed since then.

    Raise PLAN_NOT_READ, and PLAN_UNMET; PLAN_MOVED is in the result.
    """
    plan = read_plan(path)
    reasons = [(one, one.reason_against(plan.nodes, plan.digest)) for one in conditions]
    unmet = [pair for pair in reasons if pair[1]]
    if unmet:
        raise unmet_error(plan.path, unmet)

    def check(_site: Deployment, prepared: PreparedEnvironment) -> None:
        found = moved(plan, prepared)
        if found:
            raise issues.PLAN_MOVED(path=path, what="; ".join(found))

    own = {name: plan.options[name] for name in OPTIONS}
    return deploy(replace(options, environments=[plan.environment], **own), log, check)
