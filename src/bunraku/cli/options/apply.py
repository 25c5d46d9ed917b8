"""Options of the commands that apply a catalog or show its changes."""

from __future__ import annotations

import argparse

from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, LANGUAGE, NODE, SETTINGS, Rules, limits
from bunraku.cli.options.shared import level_of, read_text
from bunraku.cli.report.console import Console
from bunraku.cli.report.log import Printer
from bunraku.cli.report.observer import TerminalObserver
from bunraku.jobs.apply import ApplyJob, ApplyOptions
from bunraku.jobs.compile import CodeOrManifest
from bunraku.runtime.log import LogEntry

RUN = """
file [FILE]: a manifest, a directory of manifests, or - (standard input)
-e --execute CODE: {verb} this code
--catalog FILE: {verb} this catalog (JSON); - is standard input
--[no-]show-diff: {show} the differences in files
--tags TAGS: {verb} only resources with one of these comma-separated tags
--skip-tags TAGS: skip resources with one of these comma-separated tags
--ignoreschedules: ignore the schedules of resources
--[no-]preprocess-deferred: call deferred functions before the run, as Puppet 7 and OpenVox 9 do
    (default: the setting preprocess_deferred, which is true for --language 9)
--[no-]ruby-providers: let an installed Puppet manage resources that bunraku cannot
@facts: a file with additional facts
@fact_timeout
@node
{state}
-v --verbose: log messages of level info
@modulepath
{compile}
"""
STATE = """\
--statedir DIR: directory for state and report (default: depends on the user)
--vardir DIR: directory for all files that runs keep"""
"""The directories in which runs keep their state."""
RUN_RULES: Rules = {"show_diff": {"default": False}, "ruby_providers": {"default": True}}


def run_options(verb: str, show: str) -> str:
    """Return the options that ``bunraku apply`` and ``bunraku plan`` share, with the words of each."""
    parts = (LANGUAGE, SETTINGS, NODE, limits(), GENERAL)
    return RUN.format(verb=verb, show=show, state=STATE, compile="\n".join(parts))


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
