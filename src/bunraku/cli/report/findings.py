"""The printed report of findings: for people, and for the machines that read JSON, SARIF, GitHub."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from bunraku.base.errors import Diagnostic
from bunraku.base.excerpt import excerpt, visible
from bunraku.base.paths import relative, where
from bunraku.base.source import Span
from bunraku.cli.output.output import Paint
from bunraku.jobs.finding_data import end_of, finding_data

STYLES = {"error": "red+bold", "warning": "yellow+bold", "deprecation": "yellow"}


def text_report(findings: Iterable[Diagnostic], paint: Paint) -> str:
    """Return each finding with its source line, its hint and the Puppet calls that led there."""
    return "".join(one_report(one, paint) for one in findings)


def one_report(finding: Diagnostic, paint: Paint) -> str:
    """Return the report of one finding; further lines of its message are indented.

    >>> from bunraku.base.source import Source
    >>> place = Source("notice($x)\\n", "site.pp").span(7, 9).place
    >>> finding = Diagnostic("UNKNOWN_VARIABLE", "Unknown variable: 'x'", place, hint="set it")
    >>> print(one_report(finding, Paint(enabled=False)), end="")
    site.pp:1:8: error: Unknown variable: 'x' [UNKNOWN_VARIABLE]
      1 | notice($x)
        |        ^^
      hint: set it
    """
    style = STYLES[finding.severity]
    place = visible(where(*finding.place.where))
    before = paint("bold", place) + ": " if place else ""
    code = paint("dim", f" [{finding.code}]") if finding.code else ""
    first, *rest = map(visible, finding.message.splitlines() or [""])
    lines = [f"{before}{paint(style, finding.severity)}: {first}{code}"]
    lines += [f"  {line}" for line in rest]
    lines += excerpt_lines(finding.place.code, paint, style)
    if finding.hint:
        lines.append(f"  {paint('cyan', 'hint')}: {visible(finding.hint)}")
    lines += stack_lines(finding, paint)
    return "\n".join(lines) + "\n"


def excerpt_lines(span: Span | None, paint: Paint, style: str) -> list[str]:
    """Return the source line and the carets, with the line's number before them."""
    found = excerpt(span) if span else None
    if found is None:
        return []
    number, text, carets = found
    margin = str(number)
    bar = paint("dim", "|")
    return [
        f"  {paint('dim', margin)} {bar} {text}",
        f"  {' ' * len(margin)} {bar} {paint(style, carets)}",
    ]


def stack_lines(finding: Diagnostic, paint: Paint) -> list[str]:
    """Return the calls that led to the place, the innermost first, then the defined types around.

    Repeated calls are counted.
    """
    lines = []
    for (name, place), calls in groupby(finding.stack, key=named_place):
        times = len(list(calls))
        again = f" ({times} times)" if times > 1 else ""
        lines.append(
            f"  {paint('dim', 'in')} {visible(name)} {paint('dim', visible(place) + again)}"
        )
    for around in finding.declarations:
        place = visible(where(around.file, around.line, None))
        at = paint("dim", f" declared at {place}") if place else ""
        lines.append(f"  {paint('dim', 'in')} {visible(around.reference)}{at}")
    return lines


def named_place(call: tuple[str, Span]) -> tuple[str, str]:
    """Return the name and position of a call, as printed."""
    name, span = call
    return name, where(span.source.path, *span.position)


def json_report(findings: Iterable[Diagnostic]) -> str:
    """Return ``{"schema": 1, "diagnostics": […]}``; the list is empty when all is well."""
    from bunraku.formats.json import clean_json_text

    return clean_json_text({"schema": 1, "diagnostics": list(map(finding_data, findings))})


def github_report(findings: Iterable[Diagnostic]) -> str:
    """Return workflow commands, which GitHub Actions shows beside the lines of a change.

    >>> from bunraku.base.source import Place
    >>> finding = Diagnostic("X", "50% of, all", Place("a.pp", 2), "deprecation")
    >>> print(github_report([finding]), end="")
    ::warning file=a.pp,line=2,title=X::50%25 of, all
    """
    lines = []
    for finding in findings:
        file, line, column = finding.place.where
        end_line, end_column = end_of(finding.span)
        properties = {
            "file": file and relative(file),
            "line": line,
            "endLine": end_line,
            "col": column,
            "endColumn": end_column if end_line == line else None,
            "title": finding.code,
        }
        written = ",".join(
            f"{name}={escape(str(value), property_too=True)}"
            for name, value in properties.items()
            if value
        )
        level = "error" if finding.severity == "error" else "warning"
        message = "\n".join(
            [
                finding.message,
                *([f"hint: {finding.hint}"] if finding.hint else []),
                *(line.strip() for line in stack_lines(finding, Paint(enabled=False))),
            ]
        )
        lines.append(f"::{level} {written}::{escape(message)}\n")
    return "".join(lines)


def escape(text: str, *, property_too: bool = False) -> str:
    """Return the text escaped for a workflow command."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if property_too else text
