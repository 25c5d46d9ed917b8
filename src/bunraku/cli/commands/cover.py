"""Run a command and measure which lines and branches of manifests and EPP templates its compiles run.

The command follows --: a command of bunraku, or a program such as pytest whose processes compile with
bunraku. Without it: report, html, json, lcov and xml print the last measurement, lines FILE:LINE prints
the nodes or tests that ran a line, combine FILE... joins measurements, erase removes the last one.
"""

from __future__ import annotations

import argparse

from bunraku.base.command_names import COMMANDS
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.coverage.reports import (
    FORMATS,
    coverage_report,
    print_lines,
    thresholds_code,
    warn,
)
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, Rules
from bunraku.cli.output.files import report_of, write_file
from bunraku.cli.output.output import write, write_error
from bunraku.jobs.cover import DATA, CoverOptions, Measurement

RUNS_A_PROGRAM = True
"""The words after ``--`` are a command, not options."""
INTERMIXED = True
REPORTS = {"report": "text", **{name: name for name in FORMATS if name != "text"}}
"""Action → the format that it prints."""
ACTIONS = (*REPORTS, "lines", "combine", "erase")


def percent(text: str) -> float:
    """Return a number from 0 to 100."""
    number = float(text)
    if not 0 <= number <= 100:
        raise ValueError(text)
    return number


OPTIONS = f"""
words [ACTION]...: report, html, json, lcov, xml, lines FILE:LINE, combine FILE..., erase; or, with
    --nodes, FILE:LINE
--nodes: compile all nodes as 'bunraku compile --nodes' does; its options may follow after --
@fail_under
@fail_under_file
--append: add to the last measurement instead of replacing it
--report FORMAT=FILE...: also write a report to a file; FORMAT is {", ".join(FORMATS)}; may be
    repeated
--no-report: print no report after the command
--output FILE: write the report to a file
--data FILE: file of the measurement (default: {DATA} in the project)
@exclude: leave out matching files, relative to the project; can be repeated
{GENERAL}
"""
RULES: Rules = {"fail_under": {"type": percent}, "fail_under_file": {"type": percent}}


def run(options: argparse.Namespace) -> int:
    """Run the command or the action."""
    check_words(options)
    chosen = CoverOptions(options.exclude, options.data, options.append)
    measurement = Measurement(context_of(options, below=True), chosen)
    if options.nodes or options.program is not None:
        return measure(options, measurement)
    action, *rest = options.words
    if action == "erase":
        measurement.erase()
        return exits.OK
    data = measurement.combine(rest) if action == "combine" else measurement.last()
    if action == "lines":
        return print_lines(measurement, data, rest)
    coverage = measurement.coverage(data)
    warn(coverage)
    text = coverage_report(REPORTS.get(action, "text"), coverage)
    if options.output:
        write_file(options.output, text)
    else:
        write(text)
    return thresholds_code(options.fail_under, options.fail_under_file, coverage)


def check_words(options: argparse.Namespace) -> None:
    """Refuse words that fit neither an action nor a command."""
    words = options.words
    if options.nodes:
        return
    if options.program is not None:
        if words:
            raise UsageError(f"unexpected argument {words[0]!r} before --")
        return
    if not words:
        raise UsageError("give a command after --, or one of " + ", ".join(ACTIONS))
    if words[0] not in ACTIONS:
        known = words[0] in COMMANDS
        near = f" (did you mean 'bunraku cover -- {words[0]}'?)" if known else ""
        near = near or suggestion(words[0], ACTIONS) or "; a command to run follows after --"
        raise UsageError(f"unknown action {words[0]!r}{near}")
    takes_words = words[0] in {"lines", "combine"}
    if takes_words != bool(words[1:]):
        problem = f"unexpected argument {words[1]!r}" if words[1:] else "give at least one FILE"
        raise UsageError(f"{words[0]}: {problem}")


def measure(options: argparse.Namespace, measurement: Measurement) -> int:
    """Run a command, and report what it recorded."""
    writers = [report_of(text, FORMATS) for text in options.report]
    for place in options.words:
        measurement.place(place)
    words = options.program or []
    if options.nodes:
        words = ["compile", "--nodes", *words]
    aside = options.nodes and bool(options.words)
    code, data = measurement.measure(words, aside=aside)
    if not measurement.is_kept:
        write_error(f"note: the command failed ({code}): the last measurement stays\n")
    coverage = measurement.coverage(data)
    warn(coverage)
    for form, file in writers:
        write_file(file, coverage_report(form, coverage))
    reached = exits.OK
    if aside:
        reached = print_lines(measurement, data, options.words)
    elif not options.no_report:
        write(coverage_report("text", coverage))
    return (
        int(code)
        or thresholds_code(options.fail_under, options.fail_under_file, coverage)
        or reached
    )


# -- reports ---------------------------------------------------------------------------------------
