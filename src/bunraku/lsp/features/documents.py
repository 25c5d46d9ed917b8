"""Documents that the editor opens, changes and closes."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any
from bunraku.lsp.features.class_nodes import count_nodes_later
from bunraku.lsp.features.diagnostics import forget_findings, publish_later
from bunraku.lsp.features.project_check import check_projects_later
from bunraku.lsp.positions import lines_of, with_text_between
from bunraku.lsp.query import ClientQuery, member


def on_open(query: ClientQuery) -> None:
    """Take the text of a document that the editor shows."""
    session, path = query.session, query.path
    document = member(query.params, "textDocument")
    session.versions[path] = document.get("version", 0)
    session.host.change(path, str(document.get("text", "")))
    publish_later(session, path, 0.0)


def on_change(query: ClientQuery) -> None:
    """Apply edits to a document in their order; one without a range replaces the text."""
    session, path = query.session, query.path
    source = session.host.documents.get(path)
    text = "" if source is None else source.text
    for one in member(query.params, "contentChanges"):
        text = with_change(text, one, query)
    session.versions[path] = member(query.params, "textDocument").get("version", 0)
    session.host.change(path, text)
    publish_later(session, path)


def with_change(text: str, change: dict[str, Any], query: ClientQuery) -> str:
    """Return a text after one edit."""
    found = change.get("range")
    if found is None:
        return str(member(change, "text"))
    lines, encoding = lines_of(text), query.session.encoding
    start = lines.offset(found["start"], encoding)
    end = lines.offset(found["end"], encoding)
    return with_text_between(text, start, end, str(member(change, "text")))


def on_save(query: ClientQuery) -> None:
    """Check the other open documents again: they may use what this one defines."""
    for path in query.session.host.documents:
        publish_later(query.session, path)
    check_projects_later(query.session)
    count_nodes_later(query.session)


def on_close(query: ClientQuery) -> None:
    """Forget the text of a document: its file counts again."""
    session, path = query.session, query.path
    session.versions.pop(path, None)
    session.host.close(path)
    forget_findings(session, path)
