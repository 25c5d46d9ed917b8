"""Options of the commands that apply a catalog or show its changes."""

from __future__ import annotations

import argparse

from bunraku.cli.options.context import context_of
from bunraku.cli.options.node import add_node_options
from bunraku.cli.options.shared import (
    add_language_options,
    add_limit_options,
    add_option,
    add_options,
    add_output_options,
    add_setting_options,
    level_of,
    read_text,
)
from bunraku.cli.report.console import Console
from bunraku.cli.report.log import Printer
from bunraku.cli.report.observer import TerminalObserver
from bunraku.jobs.apply import ApplyJob, ApplyOptions
from bunraku.jobs.compile import CodeOrManifest
from bunraku.runtime.log import LogEntry


def add_run_options(parser: argparse.ArgumentParser, verb: str, show: str) -> None:
    """Add the options that ``bunraku apply`` and ``bunraku plan`` share, with the words of each."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a manifest, a directory of manifests, or - (standard input)",
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help=f"{verb} this code")
    parser.add_argument(
        "--catalog", metavar="FILE", help=f"{verb} this catalog (JSON); - is standard input"
    )
    parser.add_argument(
        "--show-diff",
        action=argparse.BooleanOptionalAction,
        default=False,
        help=f"{show} the differences in files",
    )
    parser.add_argument(
        "--tags",
        metavar="TAGS",
        help=f"{verb} only resources with one of these comma-separated tags",
    )
    parser.add_argument(
        "--skip-tags", metavar="TAGS", help="skip resources with one of these comma-separated tags"
    )
    parser.add_argument(
        "--ignoreschedules", action="store_true", help="ignore the schedules of resources"
    )
    parser.add_argument(
        "--preprocess-deferred",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="call deferred functions before the run, as Puppet 7 and OpenVox 9 do (default: the "
        "setting preprocess_deferred, which is true for --language 9)",
    )
    parser.add_argument(
        "--ruby-providers",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="let an installed Puppet manage resources that bunraku cannot",
    )
    add_option(parser, "facts", "a file with additional facts")
    add_options(parser, "fact_timeout", "node")
    add_state_options(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="log messages of level info")
    add_options(parser, "modulepath")
    add_language_options(parser)
    add_setting_options(parser)
    add_node_options(parser)
    add_limit_options(parser)
    add_output_options(parser)


def add_state_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about the directories in which runs keep their state."""
    parser.add_argument(
        "--statedir",
        metavar="DIR",
        help="directory for state and report (default: depends on the user)",
    )
    parser.add_argument("--vardir", metavar="DIR", help="directory for all files that runs keep")


def comma_separated(text: str | None) -> tuple[str, ...]:
    """Return the words of a comma-separated list.

    >>> comma_separated("web, db"), comma_separated(None)
    (('web', 'db'), ())
    """
    return tuple(word for word in (text or "").replace(" ", "").split(",") if word)


def apply_options(options: argparse.Namespace, *, is_quiet: bool = False) -> ApplyOptions:
    """Return what is applied, and to which resources."""
    reads_code = options.file == "-"
    return ApplyOptions(
        what=CodeOrManifest(
            read_text("-") if reads_code else options.execute, None if reads_code else options.file
        ),
        catalog=options.catalog,
        catalog_text=read_text("-") if options.catalog == "-" else None,
        noop=getattr(options, "noop", None),
        show_diff=options.show_diff,
        tags=comma_separated(options.tags),
        skip_tags=comma_separated(options.skip_tags),
        ignoreschedules=options.ignoreschedules,
        preprocess_deferred=options.preprocess_deferred,
        ruby_providers=options.ruby_providers,
        fact_timeout=options.fact_timeout,
        statedir=options.statedir,
        vardir=options.vardir,
        evaltrace=getattr(options, "evaltrace", False),
        level=level_of(options),
        is_quiet=is_quiet,
    )


class ConsoleObserver(TerminalObserver):
    """Prints the messages of the compile as those of the run."""

    def __init__(self, console: Console) -> None:
        super().__init__(Printer("warning", console.paint))
        self.console = console
        self.prints = True
        """Whether the console is a destination of messages."""

    def log(self, entry: LogEntry) -> None:
        """Print a message of the compile."""
        if self.prints:
            self.console.entry(entry)


def apply_job(
    options: argparse.Namespace, observer: ConsoleObserver, *, is_quiet: bool = False
) -> ApplyJob:
    """Return the run that the options describe."""
    context = context_of(
        options,
        observer,
        below=options.file is None and options.execute is None,
    )
    return ApplyJob(context, apply_options(options, is_quiet=is_quiet))
