"""Install the modules that a Puppetfile or fixtures declare."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.shared import add_output_options, paint_for
from bunraku.cli.options.store import add_store_options
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.deployments import errors_as_data
from bunraku.cli.report.findings import text_report
from bunraku.cli.report.modules import install_text
from bunraku.formats.json import clean_json_text
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku modules``."""
    listed = "; ".join(f"{name}: {text}" for name, text in ACTIONS.items())
    parser.add_argument("action", choices=list(ACTIONS), help=listed)
    parser.add_argument("names", nargs="*", metavar="NAME", help="modules, with or without owner")
    parser.add_argument(
        "--puppetfile", default="", metavar="FILE", help="the Puppetfile of this directory"
    )
    parser.add_argument(
        *("--moduledir",),
        default="",
        metavar="DIRECTORY",
        help="where modules are installed if the Puppetfile does not say it (default: modules)",
    )
    add_store_options(parser, "the r10k.yaml with settings of git and Forge")
    parser.add_argument(
        "--forge",
        action="append",
        default=[],
        metavar="URL",
        help="a Forge; several are tried in order for each module (repeatable)",
    )
    parser.add_argument("--git", default="", metavar="URL", help="with add: a git remote")
    for kind in ("tag", "branch", "commit"):
        parser.add_argument(
            f"--{kind}", default="", metavar="REF", help=f"with add --git: the {kind}"
        )
    parser.add_argument(
        "--add-dependencies",
        action="store_true",
        help="with lock: lock modules that others need and nothing declares; they are installed, too",
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite modules that somebody has edited"
    )
    parser.add_argument(
        "--purge",
        action="store_true",
        help="remove what is in the directories of modules and is not declared",
    )
    parser.add_argument(
        "--no-lock", action="store_true", help="ignore Puppetfile.lock, as r10k does"
    )
    parser.add_argument(
        "--link",
        action="store_true",
        help="make hard links to the store, which all projects share, instead of copies",
    )
    parser.add_argument(
        *("--jobs", "--pool-size"),
        type=int,
        default=0,
        metavar="NUMBER",
        help="how many servers are asked at the same time (default: pool_size of r10k.yaml, or 4)",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="output format (default: text)"
    )
    add_output_options(parser)


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
    print_result(options, install_text, install_data, result)
    return exits.OK if result.is_whole else exits.FINDINGS


def run_lock(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Write the lock file."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_locking import lock, lock_data, update

    if options.action == "update":
        result = update(chosen, log)
    else:
        result = lock(chosen, add_dependencies=options.add_dependencies, log=log)
    print_result(options, texts.lock_text, lock_data, result)
    return exits.OK


def run_outdated(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Show newer versions; exit with 1 if there are some."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_versions import module_ages, outdated_data

    ages = module_ages(chosen, log)
    print_result(options, texts.outdated_text, outdated_data, ages)
    return exits.FINDINGS if any(one.is_outdated or one.is_moved for one in ages) else exits.OK


def run_graph(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Show modules, or which need which."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_graph import list_data, read_graph, tree_data

    graph = read_graph(chosen, log)
    if options.action == "list":
        print_result(options, texts.list_text, list_data, graph)
    else:
        print_result(options, texts.tree_text, tree_data, graph)
    return exits.OK


def run_why(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Show what leads to a module."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_graph import chains, named_module, read_graph, why_data

    graph = read_graph(chosen, log)
    found = [
        chain for name in chosen.names for chain in chains(graph, named_module(graph, name).name)
    ]
    print_result(options, texts.why_text, why_data, found)
    return exits.OK


def run_verify(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Compare contents; exit with 1 for differences."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_checks import verify, verify_data

    result = verify(chosen, log)
    print_result(options, texts.verify_text, verify_data, result)
    return exits.FINDINGS if result[1] else exits.OK


def run_check(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Check dependencies; exit with 1 for those that are not met."""
    from bunraku.cli.report import module_parts as texts
    from bunraku.jobs.module_checks import check

    count, findings = check(chosen, context_of(options, below=True).dialect.version, log)
    write_error(text_report(findings if options.format == "text" else [], paint_for(options)))
    print_result(options, texts.check_text, texts.check_data, (count, findings))
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
    print_result(options, texts.edit_text, edit_data, result)
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


def print_result(
    options: argparse.Namespace,
    text: Callable[[Any], str],
    data: Callable[[Any], dict[str, Any]],
    result: object,
) -> None:
    """Print a result for people or for programs."""
    write(clean_json_text(data(result)) if options.format == "json" else text(result))


def modules_options(options: argparse.Namespace) -> ModulesOptions:
    """Return the record of the options."""
    action = options.action
    if options.jobs < 0:
        raise UsageError("--jobs must be a number of 1 or more", "modules")
    of_add = [one for one in ("git", "tag", "branch", "commit") if vars(options)[one]]
    if of_add and action != "add":
        raise UsageError(f"--{of_add[0]} goes with 'modules add' only", "modules")
    if options.names and action in NAMELESS:
        raise UsageError(f"modules {action} takes no names", "modules")
    if not options.names and action in NAMED:
        raise UsageError(f"modules {action} needs the name of a module", "modules")
    return ModulesOptions(
        names=options.names,
        puppetfile=options.puppetfile,
        moduledir=options.moduledir,
        config=options.settings_file,
        forges=options.forge,
        cachedir=options.cachedir,
        force=options.force,
        purge=options.purge,
        locked=not options.no_lock,
        offline=options.offline,
        link=options.link,
        pool_size=options.jobs,
    )
