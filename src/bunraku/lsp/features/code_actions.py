"""Corrections and refactorings at the cursor."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.lsp.query import ClientQuery, Json, member
from bunraku.lsp.uris import path_uri

if TYPE_CHECKING:
    from bunraku.workbench.editor.code_actions.action import CodeAction, EditedRange

AUTOMATIC = 2
"""How an editor says that it asks by itself."""
KINDS = ["quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll"]
START: Json = {"line": 0, "character": 0}


def on_code_actions(query: ClientQuery) -> Json:
    """Answer what can be done about a piece of a document."""
    from bunraku.workbench.editor.code_actions.action import EditedRange
    from bunraku.workbench.editor.code_actions.actions import code_actions

    context = member(query.params, "context")
    diagnostics = [
        one for one in context.get("diagnostics") or () if one.get("source") == "bunraku"
    ]
    findings = tuple(
        (query.text_range(member(one, "range")), str(one.get("code", "")), member(one, "message"))
        for one in diagnostics
    )
    piece = query.text_range(member(query.params, "range"))
    is_automatic = context.get("triggerKind") == AUTOMATIC
    wanted = EditedRange(query.path, piece, findings, is_automatic)
    found = code_actions(query.snapshot, wanted, context.get("only") or ())
    can_create = "create" in (
        query.session.capability("workspace", "workspaceEdit", "resourceOperations") or ()
    )
    actions = [action(one, query, diagnostics) for one in found if can_create or not one.created]
    return [*actions, *explanation(query, wanted)]


def explanation(query: ClientQuery, wanted: EditedRange) -> Iterator[Json]:
    """Yield the action that explains the name at the cursor, for clients that show documents."""
    from bunraku.workbench.editor.explained import explained_subject

    only = query.params["context"].get("only")
    if only or not query.can("window", "showDocument", "support"):
        return
    subject = explained_subject(query.snapshot, wanted.path, wanted.range.start)
    if subject is not None:
        arguments = {"subject": subject, "uri": path_uri(wanted.path), "show": True}
        title = f"Explain {subject}"
        command = {"title": title, "command": "bunraku.explain", "arguments": [arguments]}
        yield {"title": title, "command": command}


def action(one: CodeAction, query: ClientQuery, diagnostics: list[Json]) -> Json:
    """Return an action as the client takes it."""
    made = {"title": one.title, "kind": one.kind, "edit": workspace_edit(one, query)}
    if one.finding is not None:
        made |= {"diagnostics": [diagnostics[one.finding]], "isPreferred": True}
    return made


def workspace_edit(one: CodeAction, query: ClientQuery) -> Json:
    """Return the changes of files; new files are created first."""
    texts = {
        path_uri(path): [query.text_edit(path, edit) for edit in some]
        for path, some in one.edits.items()
    }
    if not query.can("workspace", "workspaceEdit", "documentChanges"):
        return {"changes": texts}
    changes: list[Json] = []
    for path, text in one.created.items():
        document = {"uri": path_uri(path), "version": None}
        piece = {"range": {"start": START, "end": START}, "newText": text}
        changes.append({"kind": "create", "uri": path_uri(path)})
        changes.append({"textDocument": document, "edits": [piece]})
    for uri, some in texts.items():
        changes.append({"textDocument": {"uri": uri, "version": None}, "edits": some})
    return {"documentChanges": changes}
