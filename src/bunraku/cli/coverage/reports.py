"""The reports of ``bunraku cover``: of a measurement, of thresholds, and of single lines."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.excerpt import visible
from bunraku.cli import exits
from bunraku.cli.output.output import write, write_error
from bunraku.jobs.cover import Measurement
from bunraku.workbench.coverage.data import CoverageData
from bunraku.workbench.coverage.result import Coverage

FORMATS = ("text", "html", "json", "lcov", "xml")


def warn(coverage: Coverage) -> None:
    """Print which files could not be used."""
    for name in coverage.changed:
        write_error(
            f"warning: {visible(name)} changed after it ran: its old records are not used\n"
        )
    for name, reason in coverage.unreadable:
        write_error(f"warning: {visible(name)} is left out: {visible(reason)}\n")


def thresholds_code(least: float | None, least_of_file: float | None, coverage: Coverage) -> int:
    """Return the exit code of the thresholds, and print what is below them."""
    low = coverage.shortfalls(least, least_of_file)
    write_error("".join(f"{line}\n" for line in low))
    return exits.FINDINGS if low else exits.OK


def coverage_report(format_: str, coverage: Coverage) -> str:
    """Return the coverage in a format."""
    match format_:
        case "html":
            from bunraku.cli.coverage.page import page

            return page(coverage)
        case "json":
            from bunraku.workbench.coverage.exports import json_report

            return json_report(coverage)
        case "lcov":
            from bunraku.workbench.coverage.exports import lcov_report

            return lcov_report(coverage)
        case "xml":
            from bunraku.workbench.coverage.exports import cobertura_report

            return cobertura_report(coverage)
        case _:
            from bunraku.cli.coverage.text import text_report

            return text_report(coverage)


def print_lines(measurement: Measurement, data: CoverageData, places: Sequence[str]) -> int:
    """Print the runs that reached each place; the exit code is 1 if none reached one of them."""
    code = exits.OK
    for name, line in map(measurement.place, places):
        coverage = measurement.coverage(data, [name])
        warn(coverage)
        runs = measurement.runs_of(coverage, name, line).runs
        write(f"{visible(name)}:{line}: {', '.join(map(visible, runs)) or 'no run'}\n")
        code = code if runs else exits.FINDINGS
    return code
