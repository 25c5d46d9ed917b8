"""Bring this machine to the state that a manifest or a catalog describes."""

from __future__ import annotations

import argparse
from contextlib import ExitStack

from bunraku.apply.log import RunLog
from bunraku.apply.plan_start import is_saved_plan
from bunraku.apply.records import Records
from bunraku.apply.report import Report, managed_references
from bunraku.apply.report_format import summary_data, summary_text
from bunraku.base.errors import PuppetError
from bunraku.base.signals import Postponed, Terminated
from bunraku.base.usage import UsageError
from bunraku.catalog.catalog import Catalog
from bunraku.cli import exits
from bunraku.cli.options.apply import RUN_RULES, ConsoleObserver, apply_job, run_options
from bunraku.cli.options.declarations import Rules
from bunraku.cli.options.logdest import LOG_DESTINATIONS, opened_destinations
from bunraku.cli.options.shared import level_of, paint_for
from bunraku.cli.output.live_line import LiveLine
from bunraku.cli.output.output import write
from bunraku.cli.report.console import Console
from bunraku.jobs.apply import ApplyJob

NOTHING_NAMED = (
    "nothing to apply: give FILE, -e CODE or --catalog FILE; "
    "'bunraku plan' shows what the manifest of this project would change"
)


OPTIONS = f"""
{run_options("apply", "log")}
[options]
--[no-]noop: report changes without making them (default: the setting noop)
-t --test: same as --verbose --detailed-exitcodes --show-diff
--detailed-exitcodes: exit with 2 for changes, 4 for failures, 6 for both
{LOG_DESTINATIONS}
--summarize: print the metrics of the run
--evaltrace: log the duration of each resource (with --verbose)
--[no-]report: keep the report of the run (default: yes); its summary is always kept
--write-catalog-summary: write the lists classes.txt and resources.txt
"""
RULES: Rules = {**RUN_RULES, "logdest": {"action": "append"}, "report": {"default": True}}


def run(options: argparse.Namespace) -> int:
    """Compile or read the catalog, apply it, and write report and state."""
    if options.test:
        options.verbose = options.detailed_exitcodes = options.show_diff = True
    if options.file is None and options.execute is None and options.catalog is None:
        raise UsageError(NOTHING_NAMED, "apply")
    console = Console(level_of(options), paint_for(options))
    observer = ConsoleObserver(console)
    job = apply_job(options, observer)
    with ExitStack() as stack:
        report = apply(options, job, observer, stack)
    if options.summarize:
        write(summary_text(summary_data(report, job.host.now())))
    console.finish()
    return report.exit_code() if options.detailed_exitcodes else exits.OK


def apply(
    options: argparse.Namespace, job: ApplyJob, observer: ConsoleObserver, stack: ExitStack
) -> Report:
    """Apply the catalog of a job under the lock; a signal stops it after the current resource."""
    console = observer.console
    destinations = opened_destinations(",".join(options.logdest or ()), console, stack)
    observer.prints = console in destinations
    job.destinations = [one for one in destinations if one is not console]
    try:
        records = Records(job.host, job.directories, reports=options.report)
        stack.enter_context(records.locked())
        catalog = catalog_of(options, job)
        live = console.live = LiveLine()
        with Postponed() as signals, live:
            report = job.apply(
                catalog,
                records,
                destinations,
                stopped=signals.came,
                watch=live.watch if live.shown else None,
            )
    except PuppetError as error:
        job.log_failure(error)
        raise
    if options.write_catalog_summary:
        log = RunLog(job.level, job.host.now, destinations)
        records.keep_lists(catalog, managed_references(catalog, report), log)
    if signals.number is not None:
        raise Terminated(signals.number)
    return report


def catalog_of(options: argparse.Namespace, job: ApplyJob) -> Catalog:
    """Return the catalog of a job; raise PuppetError if a saved plan would make other changes now."""
    if not is_saved_plan(options.file):
        return job.catalog()
    from bunraku.apply.plan_file import read_plan

    return job.unchanged(read_plan(options.file))
