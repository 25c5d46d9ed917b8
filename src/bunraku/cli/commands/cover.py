"""Run a command and measure which lines and branches of manifests and EPP templates its compiles run.

The command follows --: a command of bunraku, or a program such as pytest whose processes compile with
bunraku. Without it: report, html, json, lcov and xml print the last measurement, lines FILE:LINE prints
the nodes or tests that ran a line, combine FILE... joins measurements, erase removes the last one.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.command_names import COMMANDS
from bunraku.cli.options.context import context_of
from bunraku.cli.options.shared import add_output_options
from bunraku.cli.output.excerpt import visible
from bunraku.cli.output.output import write, write_error
from bunraku.jobs.paths import near_path
from bunraku.project.model import NOTHING, Project
from bunraku.workbench.coverage.data import BadData, CoverageData, data_text, read_data
from bunraku.workbench.coverage.project import Scope, coverage_of
from bunraku.workbench.coverage.result import Coverage
from bunraku.world.whole_files import KEY_MODE, write_whole

RUNS_A_PROGRAM = True
"""The words after ``--`` are a command, not options."""
INTERMIXED = True
DATA = ".bunraku-coverage"
"""The file in the root of the project that keeps the last measurement."""
FORMATS = ("text", "html", "json", "lcov", "xml")
REPORTS = {"report": "text", **{name: name for name in FORMATS if name != "text"}}
"""Action → the format that it prints."""
ACTIONS = (*REPORTS, "lines", "combine", "erase")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku cover``."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="ACTION",
        help="report, html, json, lcov, xml, lines FILE:LINE, combine FILE..., erase; or, with "
        "--nodes, FILE:LINE",
    )
    parser.add_argument(
        "--nodes",
        action="store_true",
        help="compile all nodes as 'bunraku compile --nodes' does; its options may follow after --",
    )
    parser.add_argument(
        "--fail-under",
        type=percent,
        metavar="PERCENT",
        help="exit with 1 if less of all lines and branches ran",
    )
    parser.add_argument(
        "--fail-under-file",
        type=percent,
        metavar="PERCENT",
        help="exit with 1 if less of the lines and branches of one of the files ran",
    )
    parser.add_argument(
        "--append",
        action="store_true",
        help="add to the last measurement instead of replacing it",
    )
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        metavar="FORMAT=FILE",
        help=f"also write a report to a file; FORMAT is {', '.join(FORMATS)}; may be repeated",
    )
    parser.add_argument(
        "--no-report", action="store_true", help="print no report after the command"
    )
    parser.add_argument("--output", metavar="FILE", help="write the report to a file")
    parser.add_argument(
        "--data", metavar="FILE", help=f"file of the measurement (default: {DATA} in the project)"
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="leave out matching files, relative to the project; may be repeated",
    )
    parser.set_defaults(program=None)
    add_output_options(parser)


def percent(text: str) -> float:
    """Return a number from 0 to 100."""
    number = float(text)
    if not 0 <= number <= 100:
        raise ValueError(text)
    return number


def run(options: argparse.Namespace) -> int:
    """Run the command or the action."""
    check_words(options)
    scope = scope_of(options)
    if options.nodes or options.program is not None:
        return measure(options, scope)
    action, *rest = options.words
    if action == "combine":
        return combine(options, scope, rest)
    if action == "erase":
        return erase(options, scope)
    data = saved(data_file(options, scope))
    if action == "lines":
        return print_lines(data, scope, rest)
    return print_report(options, scope, data, REPORTS[action])


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


def scope_of(options: argparse.Namespace) -> Scope:
    """Return the files that count: those of the project that the command runs in."""
    project = context_of(options, below=True).project
    configured = {name: one.value for name, one in options.configured.items()}
    language = configured.get("language") or project.value("language") or "8"
    globs = [*options.exclude, *project.value("exclude", ()), *configured_globs(options, project)]
    if project.kind == NOTHING and not options.no_project:
        raise UsageError(f"cannot find a module or a control repository: {project.reason}")
    return Scope(
        project.root,
        tuple(one.removesuffix("/**").removesuffix("/").removeprefix("./") for one in globs),
        language,
    )


def configured_globs(options: argparse.Namespace, project: Project) -> list[str]:
    """Return the globs of the configuration file, relative to the project instead of that file."""
    found = options.configured.get("exclude")
    if found is None:
        return []
    base = os.path.dirname(found.file)
    return [
        os.path.relpath(os.path.join(base, glob), project.root) if "/" in glob else glob
        for glob in found.value
    ]


# -- measuring -------------------------------------------------------------------------------------


def measure(options: argparse.Namespace, scope: Scope) -> int:
    """Run a command, keep what it recorded, and report it."""
    writers = [report_of(text) for text in options.report]
    for place in options.words:
        place_of(place, scope)
    from bunraku.cli.coverage.running import run_covered

    words = options.program or []
    if options.nodes:
        words = ["compile", "--nodes", *words]
    aside = options.nodes and bool(options.words)
    code, data = run_covered(words, scope, aside=aside)
    path = data_file(options, scope)
    if options.append and os.path.exists(path):
        data.update(saved(path))
    save(path, data)
    coverage = measured(data, scope)
    for format_, file in writers:
        write_report(file, report_text(format_, coverage))
    reached = exits.OK
    if aside:
        reached = print_lines(data, scope, options.words)
    elif not options.no_report:
        write(report_text("text", coverage))
    return int(code) or under(options, coverage) or reached


def report_of(text: str) -> tuple[str, str]:
    """Return format and file of ``--report``."""
    format_, equals, path = text.partition("=")
    if not equals or not path:
        raise UsageError(f"--report: expected FORMAT=FILE, not {text!r}")
    if format_ not in FORMATS:
        near = suggestion(format_, FORMATS) or f"; expected one of {', '.join(FORMATS)}"
        raise UsageError(f"--report: unknown format {format_!r}{near}")
    return format_, path


def measured(data: CoverageData, scope: Scope, only: Sequence[str] = ()) -> Coverage:
    """Return the coverage of the project; report files that could not be used."""
    try:
        coverage = coverage_of(data, scope, only)
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from error
    for name in coverage.changed:
        write_error(
            f"warning: {visible(name)} changed after it ran: its old records are not used\n"
        )
    for name, reason in coverage.unreadable:
        write_error(f"warning: {visible(name)} is left out: {visible(reason)}\n")
    return coverage


def under(options: argparse.Namespace, coverage: Coverage) -> int:
    """Return the exit code of the thresholds, and print what is below them."""
    whole, each = options.fail_under, options.fail_under_file
    low = []
    if whole is not None and coverage.totals.percent < whole:
        low.append(f"the coverage of {coverage.totals.percent:.2f} % is lower than {whole:g} %")
    for one in coverage.files:
        if each is not None and one.totals.percent < each:
            found = f"{one.totals.percent:.2f} %"
            low.append(f"{visible(one.path)}: the coverage of {found} is lower than {each:g} %")
    write_error("".join(f"{line}\n" for line in low))
    return exits.FINDINGS if low else exits.OK


# -- reports ---------------------------------------------------------------------------------------


def report_text(format_: str, coverage: Coverage) -> str:
    """Return the coverage in a format."""
    match format_:
        case "html":
            from bunraku.cli.coverage.page import page

            return page(coverage)
        case "json":
            from bunraku.cli.coverage.exports import json_report

            return json_report(coverage)
        case "lcov":
            from bunraku.cli.coverage.exports import lcov_report

            return lcov_report(coverage)
        case "xml":
            from bunraku.cli.coverage.exports import cobertura_report

            return cobertura_report(coverage)
        case _:
            from bunraku.cli.coverage.text import text_report

            return text_report(coverage)


def print_report(
    options: argparse.Namespace, scope: Scope, data: CoverageData, format_: str
) -> int:
    """Print a report, or write it to the file of ``--output``."""
    coverage = measured(data, scope)
    text = report_text(format_, coverage)
    if options.output:
        write_report(options.output, text)
    else:
        write(text)
    return under(options, coverage)


def write_report(path: str, text: str) -> None:
    """Write a report to a file."""
    try:
        write_whole(path, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def print_lines(data: CoverageData, scope: Scope, places: Sequence[str]) -> int:
    """Print the runs that reached each place; the exit code is 1 if none reached one of them."""
    code = exits.OK
    for place in places:
        name, line = place_of(place, scope)
        files = measured(data, scope, [name]).files
        runs = files[0].runs_of_line(line) if files else None
        if runs is None:
            raise UsageError(f"no code is at {name}:{line}")
        shown = ", ".join(map(visible, runs)) or "no run"
        write(f"{visible(name)}:{line}: {shown}\n")
        code = code if runs else exits.FINDINGS
    return code


def place_of(text: str, scope: Scope) -> tuple[str, int]:
    """Return file and line of FILE:LINE, the file relative to the project."""
    path, _, number = text.rpartition(":")
    if not path or not number.isascii() or not number.isdecimal() or not int(number):
        raise UsageError(f"expected FILE:LINE, not {text!r}")
    choices = [path, os.path.join(scope.root, path)]
    found = next((one for one in choices if os.path.isfile(one)), None)
    if found is None:
        raise UsageError(f"cannot find {path}{near_path(path)}")
    name = scope.session.name_of(os.path.abspath(found))
    if name is None:
        raise UsageError(f"{path} does not count: it is outside of the project, or left out")
    return name, int(number)


# -- the file of the measurement -------------------------------------------------------------------


def data_file(options: argparse.Namespace, scope: Scope) -> str:
    """Return the file of the measurement."""
    return options.data or os.path.join(scope.root, DATA)


def saved(path: str) -> CoverageData:
    """Return the data of a file."""
    try:
        return read_data(path)
    except FileNotFoundError:
        raise UsageError(f"cannot find {path}; measure with 'bunraku cover -- COMMAND'") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except BadData as error:
        raise UsageError(f"cannot use {path}: {error}") from error


def save(path: str, data: CoverageData) -> None:
    """Write data to a file."""
    try:
        write_whole(path, data_text(data).encode(), mode=KEY_MODE)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def combine(options: argparse.Namespace, scope: Scope, paths: Sequence[str]) -> int:
    """Join measurements, such as those of several machines, to the one of the project."""
    target = data_file(options, scope)
    data = CoverageData()
    if options.append and os.path.exists(target):
        data = saved(target)
    for path in paths:
        data.update(saved(path))
    save(target, data)
    return print_report(options, scope, data, "text")


def erase(options: argparse.Namespace, scope: Scope) -> int:
    """Remove the measurement of the project."""
    path = data_file(options, scope)
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise UsageError(f"cannot remove {path}: {error.strerror}") from error
    return exits.OK
