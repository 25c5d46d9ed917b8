"""The report of ``bunraku ci`` for a terminal, and for the discussion of a change."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.errors import in_order
from bunraku.base.excerpt import visible
from bunraku.base.paths import where
from bunraku.cli.diff.text import as_markdown as differences_as_markdown
from bunraku.cli.diff.text import as_text as differences_as_text
from bunraku.cli.diff.text import code, escaped
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import text_report
from bunraku.jobs.ci_agreement import Agreement
from bunraku.jobs.ci_result import CiResult, by_reason, names
from bunraku.jobs.comparison import Comparison

Step = tuple[str, str, bool]
"""A name, the outcome in words, and whether it is good."""


def steps(result: CiResult) -> Iterator[Step]:
    """Yield the steps with their outcomes."""
    found = [
        counted(result.errors, "error"),
        *([counted(result.warnings, "new warning")] if result.warnings else []),
        *([f"{counted(result.older, 'older warning')} not shown"] if result.older else []),
    ]
    yield "files", f"{counted(result.files, 'file')}: {', '.join(found)}", not result.errors
    if result.comparison is None:
        yield "nodes", "none compiled", True
        return
    nodes = result.comparison.nodes
    before = len(result.failures) - len(result.broken)
    found = [
        f"{len(result.broken)} broken",
        *([f"{len(result.repaired)} repaired"] if result.repaired else []),
        *([f"{before} failed before, too"] if before else []),
        f"{len(result.changed)} changed",
        f"{sum(one.status == 'same' for one in nodes)} unchanged",
    ]
    yield "nodes", f"{counted(len(nodes), 'node')}: {', '.join(found)}", not result.broken
    if result.against is not None:
        yield "puppet", agreed(result.against), not result.against.disagreements


def agreed(against: Agreement) -> str:
    """Return in words whether the catalogs of an installed Puppet are the same.

    >>> agreed(Agreement("7.23.0", failed={"web01": "Syntax error"}))
    '0 nodes as Puppet 7.23.0 compiles them, 1 that it does not compile'
    """
    same = len(against.nodes) - len(against.different)
    found = [f"{counted(same, 'node')} as Puppet {against.version} compiles them"]
    for count, what in (
        (len(against.different), "with another catalog"),
        (len(against.failed), "that it does not compile"),
        (len(against.left_out), "left out, because they collect exported resources"),
    ):
        if count:
            found.append(f"{count} {what}")
    return ", ".join(found)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "file"), counted(0, "error")
    ('1 file', '0 errors')
    """
    return f"{count} {noun}{'s' * (count != 1)}"


def as_text(result: CiResult, paint: Paint, *, failed: bool) -> str:
    """Return the report for people at a terminal: findings, changes, and the summary at the end."""
    parts = [text_report(in_order(result.diagnostics()), paint)]
    if result.comparison is not None:
        parts.append(differences_as_text(changes_of(result.comparison), paint))
    if result.against is not None and result.against.different:
        parts.append(differences_as_text(result.against.comparison, paint))
    summary = [paint("bold", f"{visible(result.old)} → {visible(result.new)}")]
    for name, outcome, good in steps(result):
        summary.append(f"  {name}  {paint('green' if good else 'red', outcome)}")
    summary += [f"  {paint('yellow', 'note')}: {text}" for text in earlier_failures(result)]
    if result.repaired:
        summary.append(f"  {paint('green', 'repaired')}: {names(result.repaired)}")
    notes = [*refusals(result), *result.notes]
    summary += [f"  {paint('cyan', 'note')}: {visible(text)}" for text in notes]
    reasons = ", ".join(result.reasons()) or "no errors, no changed nodes"
    summary.append(paint("red+bold", "failed") if failed else paint("green", "passed"))
    summary[-1] += f": {reasons}"
    return "".join(parts) + "\n".join(summary) + "\n"


def earlier_failures(result: CiResult) -> Iterator[str]:
    """Yield a sentence for each reason for which nodes failed before the change, too."""
    for group in by_reason([one for one in result.failures if one.before]):
        finding = group[0].finding
        place = where(*finding.place.where)
        nodes = names([one.node for one in group])
        several = f"{counted(len(group), 'node')} failed before, too ({nodes})"
        hint = f"; {visible(finding.hint)}" if finding.hint else ""
        yield f"{several}: {visible(finding.message)}{f' ({visible(place)})' if place else ''}{hint}"


def refusals(result: CiResult) -> Iterator[str]:
    """Yield the reasons for which an installed Puppet made no catalog."""
    nodes: dict[str, list[str]] = {}
    for node, reason in (result.against.failed if result.against else {}).items():
        nodes.setdefault(reason.replace(f" on node {node}", ""), []).append(node)
    for reason, those in nodes.items():
        yield f"{reason} ({names(those)})"


def changes_of(report: Comparison) -> Comparison:
    """Return a comparison without the nodes that failed, which the findings show."""
    return Comparison(report.old, report.new, [one for one in report.nodes if not one.findings])


def verdict(result: CiResult, *, failed: bool) -> str:
    """Return the verdict with its reasons.

    >>> verdict(CiResult("a", "b", 3, []), failed=False)
    'Passed'
    """
    reasons = ", ".join(result.reasons())
    return f"{'Failed' if failed else 'Passed'}{f': {reasons}' if reasons else ''}"


def as_markdown(result: CiResult, *, failed: bool) -> str:
    """Return the report for the comments of a pull request."""
    lines = [
        f"## {'❌' if failed else '✅'} {verdict(result, failed=failed)}",
        "",
        f"{code(visible(result.old))} → {code(visible(result.new))}",
        "",
        "| step | outcome |",
        "|---|---|",
        *(f"| {name} | {outcome} |" for name, outcome, _ in steps(result)),
        "",
    ]
    findings = in_order(result.diagnostics())
    if findings:
        lines += ["### Findings", ""]
    for one in findings:
        place = where(*one.place.where)
        at = f"{code(visible(place))} " if place else ""
        first = escaped(visible(one.message.partition("\n")[0]))
        hint = f" ({escaped(visible(one.hint))})" if one.hint else ""
        lines.append(f"- **{one.severity}** {at}{first}{hint} [{one.code}]")
    if findings:
        lines.append("")
    for note in (*earlier_failures(result), *map(visible, (*refusals(result), *result.notes))):
        lines += [f"> {escaped(note)}", ""]
    text = "\n".join(lines)
    if result.comparison is not None and result.changed:
        text += "\n" + differences_as_markdown(changes_of(result.comparison), Paint(enabled=False))
    if result.against is not None and result.against.different:
        text += "\n" + differences_as_markdown(result.against.comparison, Paint(enabled=False))
    return text.rstrip("\n") + "\n"
