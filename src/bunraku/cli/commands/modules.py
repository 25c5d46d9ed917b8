"""Install the modules that a Puppetfile or fixtures declare."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.shared import add_output_options, paint_for
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report import modules as report
from bunraku.cli.report.findings import text_report
from bunraku.formats.json import clean_json_text
from bunraku.jobs.module_site import ModulesOptions

ACTIONS = {
    "install": "install the modules that are declared, or only those that are named",
}
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
    parser.add_argument(
        "--config", default="", metavar="FILE", help="the r10k.yaml with settings of git and Forge"
    )
    parser.add_argument(
        "--forge",
        action="append",
        default=[],
        metavar="URL",
        help="a Forge; several are tried in order for each module (repeatable)",
    )
    parser.add_argument("--cachedir", default="", metavar="DIRECTORY", help="the store to use")
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
        "--copy", action="store_true", help="copy files instead of linking them to the store"
    )
    parser.add_argument(
        "--offline", action="store_true", help="use what is in the store, and ask no server"
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
    parser.add_argument("-v", "--verbose", action="store_true", help="report each step")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Do the action and return its exit code."""
    chosen = modules_options(options)

    def log(level: str, text: str) -> None:
        if level in {"warn", "error"} or options.verbose:
            write_error(f"{LEVELS.get(level, level)}: {text}\n")

    return {"install": run_install}[options.action](chosen, log, options)


Log = Callable[[str, str], None]


def run_install(chosen: ModulesOptions, log: Log, options: argparse.Namespace) -> int:
    """Install modules; exit with 1 if one is not as declared."""
    from bunraku.jobs.modules import install

    result = install(chosen, log)
    findings = [finding for error in result.errors for finding in error]
    write_error(text_report(findings, paint_for(options)))
    print_result(options, report.install_text, report.install_data, result)
    return exits.OK if result.is_whole else exits.FINDINGS


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
    if options.jobs < 0:
        raise UsageError("--jobs must be a number of 1 or more", "modules")
    return ModulesOptions(
        names=options.names,
        puppetfile=options.puppetfile,
        moduledir=options.moduledir,
        config=options.config,
        forges=options.forge,
        cachedir=options.cachedir,
        force=options.force,
        purge=options.purge,
        locked=not options.no_lock,
        offline=options.offline,
        link=not options.copy,
        pool_size=options.jobs,
    )
