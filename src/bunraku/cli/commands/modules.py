"""Install the modules that a Puppetfile or fixtures declare."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, TEXT, Rules
from bunraku.cli.options.records import record_of
from bunraku.cli.options.shared import paint_for
from bunraku.cli.options.store import STORE, STORE_CONFIGURATION, STORE_RULES
from bunraku.cli.output.output import write_error
from bunraku.cli.output.results import print_result
from bunraku.cli.report.deployments import errors_as_data
from bunraku.cli.report.findings import text_report
from bunraku.cli.report.modules import install_text
from bunraku.jobs.module_site import ModulesOptions

ACTIONS = {
    "install": "install the modules that are declared, or only those that are named",
    "list": "list the modules with the declared, the locked and the installed version",
    "lock": "choose versions that fit together, and write them to Puppetfile.lock",
    "update": "the same with the newest versions that the Puppetfile permits, of all or named modules",
    "outdated": "show which modules have newer versions",
    "tree": "show which modules need which",
    "why": "show what leads to a module",
    "verify": "compare the content of installed modules with what was installed",
    "check": "check that the dependencies of installed modules are met",
    "add": "declare modules: OWNER/NAME or OWNER/NAME@VERSION, or a name with --git",
    "remove": "remove the declarations of modules",
}
NAMELESS = frozenset({"lock", "list", "tree"})
NAMED = frozenset({"why", "add", "remove"})
LEVELS = {"warn": "warning"}


OPTIONS = f"""
action: {"; ".join(f"{name}: {text}" for name, text in ACTIONS.items())}
names [NAME]...: modules, with or without owner
--puppetfile FILE: the Puppetfile of this directory
--moduledir DIRECTORY: where modules are installed if the Puppetfile does not say it (default: modules)
{STORE_CONFIGURATION}: the r10k.yaml with settings of git and Forge
{STORE}
--forge URL...: a Forge; several are tried in order for each module (repeatable)
--git URL: with add: a git remote
--tag REF: with add --git: the tag
--branch REF: with add --git: the branch
--commit REF: with add --git: the commit
--add-dependencies: with lock: lock modules that others need and nothing declares; they are
    installed, too
--force: overwrite modules that somebody has edited
--purge: remove what is in the directories of modules and is not declared
--no-lock: ignore Puppetfile.lock, as r10k does
--link: make hard links to the store, which all projects share, instead of copies
--jobs --pool-size NUMBER: how many servers are asked at the same time (default: pool_size of
    r10k.yaml, or 4)
--format: output format (default: text)
{GENERAL}
"""
RULES: Rules = {
    **STORE_RULES,
    **dict.fromkeys(("puppetfile", "moduledir", "git", "tag", "branch", "commit"), TEXT),
    "action": {"choices": list(ACTIONS)},
    "jobs": {"dest": "pool_size", "type": int, "default": 0},
    "format": DATA_FORMATS,
}


def run(options: argparse.Namespace) -> int:
    """Do the action and return its exit code."""

    def report(finding: Diagnostic) -> None:
        write_error(text_report([finding], paint_for(options)))

    chosen = replace(modules_options(options), report=report)

    def log(level: str, text: str) -> None:
        if level in {"warn", "error"} or options.verbose:
            write_error(f"{LEVELS.get(level, level)}: {text}\n")

    with errors_as_data(options.format):
        return RUN[options.action](chosen, log, options)


Log = Callable[[str, str], None]


def run_install(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Install modules; exit with 1 if one is not as declared."""
    from bunraku.jobs.modules import install, install_data

    result = install(chosen, log)
    findings = [finding for error in result.errors for finding in error]
    write_error(text_report(findings, paint_for(options)))
    print_result(options.format, result, install_text, install_data)
    return exits.OK if result.is_whole else exits.FINDINGS


def run_lock(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Write the lock file."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_locking import lock, lock_data, update

    if options.action == "update":
        result = update(chosen, log)
    else:
        result = lock(chosen, add_dependencies=options.add_dependencies, log=log)
    print_result(options.format, result, texts.lock_text, lock_data)
    return exits.OK


def run_outdated(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Show newer versions; exit with 1 if there are some."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_versions import module_ages, outdated_data

    ages = module_ages(chosen, log)
    print_result(options.format, ages, texts.outdated_text, outdated_data)
    return exits.FINDINGS if any(one.is_outdated or one.is_moved for one in ages) else exits.OK


def run_graph(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Show modules, or which need which."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_graph import list_data, read_graph, tree_data

    graph = read_graph(chosen, log)
    if options.action == "list":
        print_result(options.format, graph, texts.list_text, list_data)
    else:
        print_result(options.format, graph, texts.tree_text, tree_data)
    return exits.OK


def run_why(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Show what leads to a module."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_graph import chains, named_module, read_graph, why_data

    graph = read_graph(chosen, log)
    found = [
        chain for name in chosen.names for chain in chains(graph, named_module(graph, name).name)
    ]
    print_result(options.format, found, texts.why_text, why_data)
    return exits.OK


def run_verify(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Compare contents; exit with 1 for differences."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_checks import verify, verify_data

    result = verify(chosen, log)
    print_result(options.format, result, texts.verify_text, verify_data)
    return exits.FINDINGS if result[1] else exits.OK


def run_check(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Check dependencies; exit with 1 for those that are not met."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_checks import check

    count, findings = check(chosen, context_of(options, below=True).dialect.version, log)
    write_error(text_report(findings if options.format == "text" else [], paint_for(options)))
    print_result(options.format, (count, findings), texts.check_text, texts.check_data)
    return exits.FINDINGS if findings else exits.OK


def run_edit(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Edit the Puppetfile."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_edits import GitSource, add_modules, edit_data, remove_modules

    refs = [(kind, ref) for kind in ("tag", "branch", "commit") if (ref := vars(options)[kind])]
    if bool(options.git) != (len(refs) == 1) or (options.git and len(options.names) > 1):
        raise UsageError(
            "add --git takes one name, and one of --tag, --branch, --commit", "modules"
        )
    source = GitSource(options.git, *refs[0]) if options.git else None
    result = (
        add_modules(chosen, source, log) if options.action == "add" else remove_modules(chosen, log)
    )
    print_result(options.format, result, texts.edit_text, edit_data)
    return exits.OK


RUN: dict[str, Callable[[ModulesOptions, Log, argparse.Namespace], int]] = {
    "install": run_install,
    "list": run_graph,
    "lock": run_lock,
    "update": run_lock,
    "outdated": run_outdated,
    "tree": run_graph,
    "why": run_why,
    "verify": run_verify,
    "check": run_check,
    "add": run_edit,
    "remove": run_edit,
}


def modules_options(options: argparse.Namespace) -> ModulesOptions:
    """Return the record of the options."""
    action = options.action
    if options.pool_size < 0:
        raise UsageError("--jobs must be a number of 1 or more", "modules")
    of_add = [one for one in ("git", "tag", "branch", "commit") if vars(options)[one]]
    if of_add and action != "add":
        raise UsageError(f"--{of_add[0]} goes with 'modules add' only", "modules")
    if options.names and action in NAMELESS:
        raise UsageError(f"modules {action} takes no names", "modules")
    if not options.names and action in NAMED:
        raise UsageError(f"modules {action} needs the name of a module", "modules")
    return record_of(
        ModulesOptions,
        options,
        config=options.settings_file,
        forges=options.forge,
        locked=not options.no_lock,
    )
