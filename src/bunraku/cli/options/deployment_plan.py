"""Options about what a deployment changes in the catalogs of nodes."""

from __future__ import annotations

import argparse

from bunraku.base.usage import UsageError
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import TEXT, Rules, defaults_of, limits
from bunraku.cli.options.repository import COMPARISON, COMPARISON_RULES, compare_options
from bunraku.cli.options.shared import observer_of
from bunraku.jobs.context import Context
from bunraku.jobs.deployment_plans import PlanOptions
from bunraku.jobs.plan_conditions import read_condition

PLAN = f"""
[what a deployment changes]
--plan: with environment: show which nodes change, and deploy nothing
--require CONDITION...: deploy only under a condition: no-failure, max-changed=N, or approved=FILE,
    a file that has the digest of the plan; may be repeated
--save FILE: write the plan for deploy apply
@facts_folder
@facts_from
@storedconfigs
@match
@jobs
{COMPARISON}
--exit-zero: with --plan: exit with 0 even if nodes change
{limits("catalog or comparison")}
"""
PLAN_RULES: Rules = {**COMPARISON_RULES, "save": TEXT}


def plan_options(options: argparse.Namespace) -> PlanOptions:
    """Return what counts as a change, and the conditions."""
    return PlanOptions(compare_options(options), [read_condition(one) for one in options.require])


def context_of_plan(options: argparse.Namespace) -> Context:
    """Return the context of the compiles."""
    return context_of(options, observer_of(options), environment=None, no_project=True)


def check_plan_options(options: argparse.Namespace) -> None:
    """Raise UsageError for options that do not go together."""
    if (options.plan or options.require) and options.action not in {"environment", "apply"}:
        raise UsageError("--plan and --require go with 'deploy environment' only", "deploy")
    if options.plan and (options.action == "apply" or len(options.names) != 1):
        raise UsageError(
            "a plan is that of one environment: deploy environment NAME --plan", "deploy"
        )
    for name in without_plan(options):
        raise UsageError(f"{name} goes with --plan or --require only", "deploy")
    if options.exit_zero and not options.plan:
        raise UsageError("--exit-zero goes with --plan only", "deploy")
    if options.save and not options.plan:
        raise UsageError("--save goes with --plan only", "deploy")
    if options.action == "apply" and len(options.names) != 1:
        raise UsageError("deploy apply needs the file of one plan", "deploy")
    if options.format not in {"text", "json"} and not options.plan:
        raise UsageError(f"--format {options.format} goes with --plan only", "deploy")


def without_plan(options: argparse.Namespace) -> list[str]:
    """Return the options of plans that are used although no plan is made."""
    if options.plan or (options.require and options.action == "environment"):
        return []
    return [
        f"--{NEGATIVE.get(name, name.replace('_', '-'))}"
        for name, value in defaults_of(PLAN, PLAN_RULES).items()
        if name not in OWN_CHECKS and getattr(options, name) != value
    ]


OWN_CHECKS = frozenset({"plan", "require", "save", "exit_zero"})
NEGATIVE = {"edges": "no-edges", "sources": "no-compare-sources"}
"""The names of options whose default is true."""
