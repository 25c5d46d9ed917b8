"""Find mistakes in manifests without compiling them, beside everything that ``validate`` checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from bunraku.base.errors import Diagnostic, in_order
from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.engine.request import Request
from bunraku.jobs.analysis import analysed
from bunraku.jobs.baseline import Identity, InvalidBaseline, read_baseline, without_accepted
from bunraku.jobs.checked_files import text_of
from bunraku.jobs.context import Context
from bunraku.jobs.validate import CheckedOptions, checker_of, sources
from bunraku.syntax.nodes import Program
from bunraku.workbench.analysis.rules import RULES
from bunraku.workbench.control_comments import without_suppressed_warnings


@record()
class CheckOptions(CheckedOptions):
    """What is checked, and which findings count.

    ``only`` and ``ignore`` are codes of rules of the analysis. ``baseline`` is the path of a file with
    findings that are accepted.
    """

    only: Sequence[str] = ()
    ignore: Sequence[str] = ()
    baseline: str | None = None


def check(context: Context, options: CheckOptions) -> list[Diagnostic]:
    """Return the findings, sorted by their place. Raises UsageError."""
    for code in (*options.only, *options.ignore):
        if code not in RULES:
            raise UsageError(f"unknown rule '{code}'{suggestion(code, RULES)}")
    programs: list[Program] = []
    checker = checker_of(context, programs.append)
    findings: list[Diagnostic] = []
    files: list[str] = []
    for source, kind in sources(context, options, checker, "check"):
        files.append(source.path)
        findings += checker(source, kind)
    findings = without_suppressed_warnings(findings, programs)
    findings += selected(
        analysed(Request(**context.fields), context.limits, programs, files), options
    )
    findings = in_order(findings)
    if options.baseline is None:
        return findings
    return without_accepted(findings, accepted_findings(options.baseline))


def accepted_findings(path: str) -> Counter[Identity]:
    """Return the findings of a baseline, with their numbers. Raises UsageError."""
    try:
        return read_baseline(text_of(path))
    except InvalidBaseline as error:
        raise UsageError(f"{path} is not a baseline: {error}") from error


def selected(findings: Iterable[Diagnostic], options: CheckOptions) -> list[Diagnostic]:
    """Return the findings of the rules that the options choose."""
    return [
        one
        for one in findings
        if one.code not in options.ignore and (not options.only or one.code in options.only)
    ]
