"""The report of ``bunraku ci`` for a terminal, and for the discussion of a change."""

from __future__ import annotations

from bunraku.base.excerpt import visible
from bunraku.base.paths import where
from bunraku.cli.diff.text import as_markdown as differences_as_markdown
from bunraku.cli.diff.text import as_text as differences_as_text
from bunraku.cli.diff.text import code, escaped
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import text_report
from bunraku.jobs.ci_result import CiResult, names
from bunraku.jobs.ci_summary import capitalised, earlier_failures, refusals, steps, unknown, verdict
from bunraku.jobs.comparison import Comparison


def as_text(result: CiResult, paint: Paint) -> str:
    """Return the report for people at a terminal: findings, changes, and the summary at the end."""
    parts = [text_report(result.diagnostics(), paint)]
    if result.comparison is not None:
        parts.append(differences_as_text(changes_of(result.comparison), paint))
    if result.against is not None and result.against.different:
        parts.append(differences_as_text(result.against.comparison, paint))
    summary = [paint("bold", f"{visible(result.old)} → {visible(result.new)}")]
    for name, outcome, good in steps(result):
        summary.append(f"  {name}  {paint('green' if good else 'red', outcome)}")
    if result.repaired:
        summary.append(f"  {paint('green', 'repaired')}: {names(result.repaired)}")
    notes = [*earlier_failures(result), *map(visible, (*refusals(result), *result.notes))]
    summary += [f"  {paint('cyan', 'note')}: {text}" for text in notes]
    summary += [f"  {paint('red', 'not checked')}: {visible(text)}" for text in unknown(result)]
    colour = "green" if result.passed else "red+bold"
    summary.append(paint(colour, verdict(result)))
    return "".join(parts) + "\n".join(summary) + "\n"


def changes_of(report: Comparison) -> Comparison:
    """Return a comparison without the nodes that failed, which the findings show."""
    return Comparison(report.old, report.new, [one for one in report.nodes if not one.findings])


def as_markdown(result: CiResult) -> str:
    """Return the report for the comments of a pull request."""
    mark = "✅" if result.passed else "❌" if result.failed else "❔"
    lines = [
        f"## {mark} {capitalised(verdict(result))}",
        "",
        f"{code(visible(result.old))} → {code(visible(result.new))}",
        "",
        "| step | outcome |",
        "|---|---|",
        *(f"| {name} | {outcome} |" for name, outcome, _ in steps(result)),
        "",
    ]
    findings = result.diagnostics()
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
    for text in unknown(result):
        lines += [f"> **Not checked**: {escaped(visible(text))}", ""]
    for note in (*earlier_failures(result), *map(visible, (*refusals(result), *result.notes))):
        lines += [f"> {escaped(note)}", ""]
    text = "\n".join(lines)
    if result.comparison is not None and result.changed:
        text += "\n" + differences_as_markdown(changes_of(result.comparison), Paint(enabled=False))
    if result.against is not None and result.against.different:
        text += "\n" + differences_as_markdown(result.against.comparison, Paint(enabled=False))
    return text.rstrip("\n") + "\n"
