"""Options about what a deployment changes in the catalogs of nodes."""

from __future__ import annotations

import argparse

from bunraku.base.usage import UsageError
from bunraku.cli.options.context import context_of
from bunraku.cli.options.repository import add_comparison_options, compare_options
from bunraku.cli.options.shared import add_limit_options, add_options, observer_of
from bunraku.jobs.context import Context
from bunraku.jobs.deployment_plans import PlanOptions
from bunraku.jobs.plan_conditions import read_condition


def add_plan_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("what a deployment changes")
    group.add_argument(
        "--plan",
        action="store_true",
        help="with environment: show which nodes change, and deploy nothing",
    )
    group.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="CONDITION",
        help="deploy only under a condition: no-failure, max-changed=N, or approved=FILE, a file that has "
        "the digest of the plan; may be repeated",
    )
    group.add_argument("--save", default="", metavar="FILE", help="write the plan for deploy apply")
    add_options(group, "facts_folder", "facts_from", "storedconfigs", "match", "jobs")
    add_comparison_options(group)
    group.add_argument(
        "--exit-zero", action="store_true", help="with --plan: exit with 0 even if nodes change"
    )
    add_limit_options(parser, "catalog or comparison")


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
    parser = argparse.ArgumentParser()
    add_plan_options(parser)
    unused = vars(parser.parse_args([]))
    return [
        f"--{NEGATIVE.get(name, name.replace('_', '-'))}"
        for name, value in unused.items()
        if name not in OWN_CHECKS and getattr(options, name) != value
    ]


OWN_CHECKS = frozenset({"plan", "require", "save", "exit_zero"})
NEGATIVE = {"edges": "no-edges", "sources": "no-compare-sources"}
"""The names of options whose default is true."""
