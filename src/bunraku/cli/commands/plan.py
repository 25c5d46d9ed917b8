"""Show the changes that ``bunraku apply`` would make on this machine, and change nothing."""

from __future__ import annotations

import argparse

from bunraku.apply.plan import plan_data
from bunraku.cli.apply.plan_text import plan_text
from bunraku.cli.options.apply import RUN_RULES, ConsoleObserver, apply_job, run_options
from bunraku.cli.options.declarations import DATA_FORMATS, Rules
from bunraku.cli.options.shared import level_of, paint_for
from bunraku.cli.output.output import write
from bunraku.cli.report.console import Console
from bunraku.formats.json import json_text

OPTIONS = f"""
{run_options("plan", "show")}
[options]
--format: output format (default: text)
--json: same as --format json
--out FILE: save the plan: 'bunraku apply FILE' applies it if the machine has not changed since
--nodes SOURCE: judge catalogs (files, folders, a PuppetDB): which nodes can be applied, and why not
"""
RULES: Rules = {
    **RUN_RULES,
    "show_diff": {"default": True},
    "format": DATA_FORMATS,
    "json": {"action": "store_const", "dest": "format", "const": "json"},
    "nodes": {"nargs": "+"},
}


def run(options: argparse.Namespace) -> int:
    """Print the planned changes; the exit code shows whether there are any."""
    if options.nodes:
        from bunraku.jobs.fleet_text import fleet_answer

        text, code = fleet_answer(vars(options))
        write(text)
        return code
    console = Console(level_of(options), paint_for(options), errors_only=True)
    job = apply_job(options, ConsoleObserver(console), is_quiet=True)
    catalog = job.catalog()
    plan = job.plan(catalog)
    if options.out:
        job.save(plan, catalog, options.out)
    write(
        json_text(plan_data(plan), indent=True) + "\n"
        if options.format == "json"
        else plan_text(plan, console.paint)
    )
    return plan.exit_code()
