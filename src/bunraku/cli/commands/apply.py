"""Bring this machine to the state that a manifest or a catalog describes."""

from __future__ import annotations

import argparse
import os
from typing import Any

from bunraku.apply.directories import directories_of
from bunraku.apply.log import Message, console_line
from bunraku.apply.records import Records
from bunraku.apply.run import apply_catalog
from bunraku.apply.transaction import Options
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.cli import exits
from bunraku.cli.options.manifest import what_to_compile
from bunraku.cli.options.node import add_node_options, request_for_node
from bunraku.cli.options.project import ProjectOptions, facts_of, place_of
from bunraku.cli.options.shared import (
    add_language_options,
    add_limit_options,
    add_modulepath_option,
    add_output_options,
    add_setting_options,
    limits_of,
    node_argument,
    paint_for,
    settings,
)
from bunraku.cli.output.output import Paint, write, write_error
from bunraku.cli.output.streams import ReaderGone, StreamError
from bunraku.cli.report.findings import text_report
from bunraku.cli.report.log import LEVELS, RANKS, Printer
from bunraku.engine.compile import compile_catalog
from bunraku.facts.collect import collect
from bunraku.limits.limits import Limited
from bunraku.runtime.log import LogEntry
from bunraku.world.linux import LinuxHost
from bunraku.world.machine import Machine

FAILED = 1
"""The exit code of a run in which nothing could be applied."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku apply``."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a manifest, a directory of manifests, or - (standard input)",
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="apply this code")
    parser.add_argument(
        "--catalog", metavar="FILE", help="apply this catalog (JSON); - is standard input"
    )
    parser.add_argument("--noop", action="store_true", help="report changes, but make none")
    parser.add_argument(
        "-t",
        "--test",
        action="store_true",
        help="same as --verbose --detailed-exitcodes --show-diff",
    )
    parser.add_argument(
        "--detailed-exitcodes",
        action="store_true",
        help="exit with 2 for changes, 4 for failures, 6 for both",
    )
    parser.add_argument(
        "--show-diff",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="log what changes in files",
    )
    parser.add_argument(
        "--tags", metavar="TAGS", help="apply only resources with one of these tags (commas)"
    )
    parser.add_argument(
        "--skip-tags", metavar="TAGS", help="leave out resources with one of these tags (commas)"
    )
    parser.add_argument(
        "--ignoreschedules", action="store_true", help="apply resources outside of their schedules"
    )
    parser.add_argument("--facts", metavar="FILE", help="facts besides those of this machine")
    parser.add_argument(
        "--node", "--certname", type=node_argument, metavar="NAME", help="the node's certname"
    )
    parser.add_argument(
        "--statedir", metavar="DIR", help="directory of state and report (default: by user)"
    )
    parser.add_argument("--vardir", metavar="DIR", help="directory of all that runs keep")
    parser.add_argument("-v", "--verbose", action="store_true", help="log messages of level info")
    add_modulepath_option(parser)
    add_language_options(parser)
    add_setting_options(parser)
    add_node_options(parser)
    add_limit_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Compile or read the catalog, apply it, and write report and state."""
    if options.test:
        options.verbose = options.detailed_exitcodes = options.show_diff = True
    level = "debug" if options.debug else "info" if options.verbose else "notice"
    paint = paint_for(options)
    host = LinuxHost()
    place = place_of(options, below=options.file is None and options.execute is None)

    console = Console(paint)
    try:
        catalog = catalog_of(options, place, Printer(level, paint))
        given = settings(options)
        directories = directories_of(
            {**given, **{name: getattr(options, name) for name in ("statedir", "vardir")}},
            root=host.effective_user() == 0,
            home=os.path.expanduser("~"),
        )
        records = Records(host, directories)
        report = apply_catalog(
            catalog,
            host,
            {**given, "noop": options.noop, "show_diff": options.show_diff},
            options=Options(
                tags=words(options.tags),
                skip_tags=words(options.skip_tags),
                ignore_schedules=options.ignoreschedules,
            ),
            destinations=[console],
            level=level,
            records=records,
            modules=place.fields["modulepath"],
        )
    except PuppetError as error:
        write_error(text_report(error, paint))
        return FAILED
    if console.failure is not None:
        raise console.failure
    return report.exit_code() if options.detailed_exitcodes else exits.OK


class Console:
    """Prints the messages of a run; the run goes on when that fails, and ``failure`` says why."""

    def __init__(self, paint: Paint) -> None:
        self.paint = paint
        self.failure: StreamError | ReaderGone | None = None

    def __call__(self, message: Message) -> None:
        """Print a message: warnings and errors on standard error, all else on standard output."""
        style = LEVELS[message.level][1]
        line = console_line(message)
        text = (self.paint(style, line) if style else line) + "\n"
        if RANKS[message.level] >= RANKS["warning"]:
            write_error(text)
        elif self.failure is None:
            try:
                write(text)
            except (StreamError, ReaderGone) as error:
                self.failure = error


def words(text: str | None) -> tuple[str, ...]:
    """Return the words of a list with commas.

    >>> words("web, db"), words(None)
    (('web', 'db'), ())
    """
    return tuple(word for word in (text or "").replace(" ", "").split(",") if word)


def catalog_of(options: argparse.Namespace, place: ProjectOptions, printer: Printer) -> Catalog:
    """Return the catalog to apply, read from a file or compiled with this machine's facts."""
    if options.catalog:
        return Catalog.from_file(options.catalog)
    facts = machine_facts(printer) | facts_of(options, place)
    request = request_for_node(options, place, facts, **what_to_compile(options, place))
    with Limited(limits_of(options)):
        return Catalog(catalog_to_data(compile_catalog(request, printer)))


def machine_facts(printer: Printer) -> dict[str, Any]:
    """Return the facts of this machine, legacy ones included."""

    def warn(finding: Diagnostic) -> None:
        printer(LogEntry("warning", finding.message))

    return collect(Machine(), warn, legacy=True)
