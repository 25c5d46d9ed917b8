"""Findings in open documents: those of ``bunraku check`` and ``bunraku lint``, in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.source import Source
from bunraku.lsp.background import Step
from bunraku.lsp.features.imports import imports_for_findings
from bunraku.lsp.positions import lines_of
from bunraku.lsp.session import ClientSession
from bunraku.lsp.uris import path_uri

if TYPE_CHECKING:
    from bunraku.lsp import protocol

SEVERITIES = {"error": 1, "warning": 2, "deprecation": 2}
DEPRECATED = 2
"""The tag of code that is shown struck through."""
DELAY = 0.1
"""Seconds without an edit after which a document is checked."""


def publish_later(session: ClientSession, path: str, delay: float = DELAY) -> None:
    """Check a document in the background, and send the findings."""
    session.background.add(f"findings {path}", steps_for(session, path), delay, priority=1)


def forget_findings(session: ClientSession, path: str) -> None:
    """Take back the findings of a document that is closed."""
    session.background.remove(f"findings {path}")
    send(session, path, session.project_findings.get(path, []))


def steps_for(session: ClientSession, path: str) -> Iterator[Step]:
    """Yield the steps that check a document; findings of the syntax are sent first."""
    from bunraku.jobs.editor import findings_of

    snapshot = session.host.snapshot()
    source = snapshot.source(path)
    if source is None:
        return
    found: list[list[Diagnostic]] = []
    steps = findings_of(
        session.host.project_of(path),
        source,
        snapshot.changed_programs(path),
        lint=session.options["lint"],
    )
    for number, findings in enumerate(steps):
        if number == 1:
            yield from imports_for_findings()
        found.append([])
        yield partial(find_and_send, session, source, found, number, findings)


def find_and_send(
    session: ClientSession,
    source: Source,
    found: list[list[Diagnostic]],
    number: int,
    findings: Callable[[], list[Diagnostic]],
) -> None:
    """Find one part of what is wrong with a document, and send all parts so far."""
    found[number] = findings()
    send_findings(session, source, found)


def send_findings(session: ClientSession, source: Source, found: list[list[Diagnostic]]) -> None:
    """Send all findings of a document so far."""
    diagnostics = [diagnostic(one, source, session) for some in found for one in some]
    send(session, source.path, diagnostics)


def send(session: ClientSession, path: str, diagnostics: list[protocol.Diagnostic]) -> None:
    """Send the diagnostics of a document; they replace the earlier ones."""
    params: protocol.PublishDiagnosticsParams = {
        "uri": path_uri(path),
        "diagnostics": diagnostics,
    }
    if path in session.versions:
        params["version"] = session.versions[path]
    session.notify("textDocument/publishDiagnostics", params)


def diagnostic(finding: Diagnostic, source: Source, session: ClientSession) -> protocol.Diagnostic:
    """Return a finding as the client takes it."""
    text = finding.message if finding.hint is None else f"{finding.message}\nhint: {finding.hint}"
    start, end = extent(finding, source)
    made: protocol.Diagnostic = {
        "range": lines_of(source.text).range(start, end, session.encoding),
        "severity": SEVERITIES.get(finding.severity, 3),
        "code": finding.code,
        "source": "bunraku",
        "message": text,
    }
    if finding.severity == "deprecation":
        made["tags"] = [DEPRECATED]
    return made


def extent(finding: Diagnostic, source: Source) -> tuple[int, int]:
    """Return the offsets of the code that a finding is about; the line, if only that is known."""
    span = finding.place.span
    if span is not None:
        return span.start, max(span.end, span.start)
    if finding.line is None or finding.line > len(source.line_starts):
        return 0, 0
    line = source.line_span(finding.line)
    if finding.column is None:
        return line.start, max(line.start, line.end)  # a line of blanks ends before its text begins
    start = source.line_starts[finding.line - 1] + finding.column - 1
    return min(start, line.end), line.end
