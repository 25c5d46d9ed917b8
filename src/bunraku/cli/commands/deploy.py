"""Deploy environments from their repositories, each whole and in one switch."""

from __future__ import annotations

import argparse
import sys

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.diff.deployment_plans import plan_text
from bunraku.cli.diff.text import FORMATS
from bunraku.cli.options.declarations import CERTIFICATES, GENERAL, TEXT, Rules, choice
from bunraku.cli.options.deployment_plan import (
    PLAN,
    PLAN_RULES,
    check_plan_options,
    context_of_plan,
    plan_options,
)
from bunraku.cli.options.shared import paint_for
from bunraku.cli.options.store import STORE, STORE_CONFIGURATION, STORE_RULES
from bunraku.cli.output.output import write, write_error
from bunraku.cli.output.results import print_result
from bunraku.cli.report.deployments import errors_as_data, result_text, sources_text, status_text
from bunraku.cli.report.findings import text_report
from bunraku.deployment.site_contents import Log
from bunraku.jobs.deploy import DeployOptions, DeployResult, deploy, rollback, status
from bunraku.jobs.deploy_data import result_data, status_data
from bunraku.jobs.deploy_display import displayed, sources_data
from bunraku.jobs.deployment_plans import apply_plan, deploy_with_conditions, plan_deployment
from bunraku.jobs.flushing import Flushing, check_server_urls, flush_servers
from bunraku.jobs.plan_file import write_plan

ACTIONS = {
    "environment": "deploy environments (default: all) with their modules",
    "module": "deploy modules in all environments that have them, and nothing else",
    "display": "list the sources and environments",
    "status": "show what is deployed, since when, and what was edited there",
    "rollback": "put an older deployment of environments in place again",
    "apply": "deploy exactly what a saved plan says, unless something changed since then",
}


OPTIONS = f"""
action: {"; ".join(f"{name}: {text}" for name, text in ACTIONS.items())}
names [NAME]...: environments, modules, or the file of a plan
-c {STORE_CONFIGURATION}: the r10k.yaml to use (default: that of this directory, of /etc/puppetlabs/r10k, of
    /etc)
{STORE}
-e --environment NAME...: with module: deploy it in this environment only (repeatable)
--no-modules: leave the modules of environments alone that are there already
--modules: with display: list the modules of environments, too
--incremental: leave modules alone whose declared version cannot change and is there
--no-lock: deploy what the Puppetfile declares, whatever Puppetfile.lock beside it says
--no-force: leave environments alone in which somebody has edited files, and exit with 1
--default-branch-override REF: the git ref of modules whose own ref does not exist
--to NUMBER: with rollback: the deployment to restore
--copy: copy files instead of linking them to the store: who edits them edits one environment
--format: output format; markdown and html are those of --plan (default: text)
[servers]
--flush URL...: flush the environments that were switched on this puppetserver, such as
    https://puppet.example.com:8140 (repeatable); bunraku server notices the switch itself
{CERTIFICATES.format(default="the agent's")}
{PLAN}
{GENERAL}
"""
RULES: Rules = {
    **STORE_RULES,
    **PLAN_RULES,
    "action": {"choices": list(ACTIONS)},
    "environment": {"dest": "module_environments"},  # bunraku.toml has a key 'environment'
    "default_branch_override": TEXT,
    "to": {"type": int, "default": 0},
    "format": choice(*FORMATS),
}


def run(options: argparse.Namespace) -> int:
    """Do the action; exit with 1 if something is not deployed."""
    chosen = deploy_options(options)
    check_server_urls(options.flush)
    with errors_as_data(options.format):
        return act(options, chosen)


def act(options: argparse.Namespace, chosen: DeployOptions) -> int:
    """Do the action; exit with 1 if something is not deployed. Raise PuppetError."""

    def log(level: str, text: str) -> None:
        if level == "warn" or (level != "error" and options.verbose):  # errors are in the result
            write_error(f"{LEVELS.get(level, level)}: {text}\n")

    if options.action == "display":
        return display(options, chosen, log)
    if options.action == "status":
        print_result(options.format, status(chosen), status_text, status_data)
        return exits.OK
    if options.plan:
        return show_plan(options, chosen, log)
    result = deployed(options, chosen, log)
    flush_servers(result, Flushing(options.flush, options.cacert, options.cert, options.key), log)
    for error in result.errors:
        write_error(text_report(error, paint_for(options)))
    print_result(options.format, result, result_text, result_data)
    return exits.OK if result.is_whole else exits.FINDINGS


def display(options: argparse.Namespace, chosen: DeployOptions, log: Log) -> int:
    """Show the sources and their environments, with --modules the modules of these."""
    found = displayed(chosen, log, with_modules=options.modules)
    print_result(options.format, found, sources_text, sources_data)
    for error in found.errors:
        write_error(text_report(error, paint_for(options)))
    return exits.FINDINGS if found.errors else exits.OK


def deployed(options: argparse.Namespace, chosen: DeployOptions, log: Log) -> DeployResult:
    """Deploy, and return what became of the environments."""
    if options.action == "rollback":
        return rollback(chosen, options.to, log)
    planning = plan_options(options)
    if options.action == "apply":
        return apply_plan(options.names[0], chosen, planning.conditions, log)
    if planning.conditions:
        return deploy_with_conditions(chosen, planning, context_of_plan(options), log)
    return deploy(chosen, log)


def show_plan(options: argparse.Namespace, chosen: DeployOptions, log: Log) -> int:
    """Show what a deployment changes; exit as diff does, or with 1 if a condition is not met."""
    planning = plan_options(options)
    try:
        with errors_as_data(options.format):
            plan = plan_deployment(chosen, planning, context_of_plan(options), log)
            if options.save:
                write_plan(options.save, plan.saved)
    except PuppetError as error:
        write_error(text_report(error, paint_for(options)))
        return exits.TROUBLE
    paint = paint_for(options, sys.stdout)
    write(plan_text(plan, options.format, paint))
    if planning.conditions:
        return exits.FINDINGS if plan.unmet else exits.OK
    return exits.of_comparison(plan.comparison.status, exit_zero=options.exit_zero)


def deploy_options(options: argparse.Namespace) -> DeployOptions:
    """Return the record of the options; UsageError for those that do not go together."""
    action = options.action
    if action in {"module", "rollback"} and not options.names:
        what = "modules" if action == "module" else "environments"
        raise UsageError(f"deploy {action} needs the names of {what}", "deploy")
    if options.module_environments and action != "module":
        raise UsageError("--environment goes with 'deploy module' only", "deploy")
    if options.to and action != "rollback":
        raise UsageError("--to goes with 'deploy rollback' only", "deploy")
    if options.modules and action != "display":
        raise UsageError("--modules goes with 'deploy display' only", "deploy")
    check_plan_options(options)
    if options.to < 0:
        raise UsageError("--to must be the number of a deployment", "deploy")
    is_module = action == "module"
    names = () if action == "apply" else options.names
    return DeployOptions(
        environments=options.module_environments if is_module else names,
        modules=not options.no_modules,
        only_modules=options.names if is_module else (),
        config=options.settings_file,
        settings={"cachedir": options.cachedir} if options.cachedir else {},
        force=not options.no_force,
        incremental=options.incremental,
        branch_override=options.default_branch_override,
        offline=options.offline,
        link=not options.copy,
        locked=not options.no_lock,
    )


LEVELS = {"warn": "warning"}
