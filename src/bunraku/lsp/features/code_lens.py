"""Lines above definitions: uses, the last change and nodes, which are found when the client shows the line, and tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.lsp.features.class_nodes import count_nodes_later, nodes_of
from bunraku.lsp.programs import LaterAnswer, ProgramOutcome
from bunraku.lsp.query import ClientQuery, Json, member, symbol_in
from bunraku.lsp.uris import path_uri, uri_path

if TYPE_CHECKING:
    from bunraku.workbench.editor.code_lens import Lens

SHOW_REFERENCES, RUN_TEST, SHOW_NODES = (
    "bunraku.showReferences",
    "bunraku.runTest",
    "bunraku.showNodes",
)
"""Commands of the client."""
GIT = ("git", "-c", "core.fsmonitor=false", "--no-optional-locks")


def on_code_lens(query: ClientQuery) -> Json:
    """Answer the lines above the definitions of a document."""
    from bunraku.workbench.editor.code_lens import lenses

    session = query.session
    if not session.shows_lenses:
        session.shows_lenses = True
        count_nodes_later(session, 0.0)
    return [line for one in lenses(query.snapshot, query.path) for line in lens_lines(one, query)]


def lens_lines(one: Lens, query: ClientQuery) -> Iterator[Json]:
    """Yield a lens as the client takes it: one that is found later, or nothing if there is nothing to show."""
    place = query.range(query.path, one.range)
    if one.kind == "test":
        command = {"title": "run test", "command": RUN_TEST, "arguments": [path_uri(one.test)]}
        yield {"range": place, "command": command}
    elif one.kind == "nodes":
        found = nodes_of(query.session, query.path, one.symbol.name)
        if found is not None:
            title = "1 node" if len(found) == 1 else f"{len(found)} nodes"
            nodes: Json = {
                "title": title,
                "command": SHOW_NODES,
                "arguments": [one.symbol.name, found],
            }
            yield {"range": place, "command": nodes}
    else:
        whole = query.range(query.path, one.whole)
        lines = [whole["start"]["line"] + 1, whole["end"]["line"] + 1]
        data = {"uri": path_uri(query.path), "kind": one.symbol.kind, "name": one.symbol.name}
        yield {"range": place, "data": {**data, "lens": one.kind, "lines": lines}}


def on_resolve_code_lens(query: ClientQuery) -> Json:
    """Answer a line with its text."""
    data = member(query.params, "data")
    resolve = RESOLVERS.get(str(data.get("lens"))) if isinstance(data, dict) else None
    return (resolve or resolved_uses)(query, data)


def resolved_uses(query: ClientQuery, data: Json) -> Json:
    """Return a line with the number of uses."""
    from bunraku.workbench.editor.code_lens import uses_of

    uri, symbol = str(member(data, "uri")), symbol_in(data)
    places = [query.location(one) for one in uses_of(query.snapshot, symbol, uri_path(uri))]
    title = "1 use" if len(places) == 1 else f"{len(places)} uses"
    start = member(query.params, "range", "start")
    command = {"title": title, "command": SHOW_REFERENCES, "arguments": [uri, start, places]}
    return {**query.params, "command": command}


def resolved_change(query: ClientQuery, data: Json) -> Json:
    """Return a line with the last change in git of some lines; that of the text in the editor."""
    from bunraku.workbench.editor.last_change import last_change, shown_change

    path = uri_path(str(member(data, "uri")))
    first, last = (int(one) for one in member(data, "lines"))
    source = query.snapshot.source(path)
    text = "" if source is None else source.text
    words = ("blame", "--porcelain", "--contents=-", f"-L{first},{last}", "--")

    def answer(outcome: ProgramOutcome) -> Json:
        change = last_change(outcome.output) if outcome.code == 0 else None
        title = "not in git" if change is None else shown_change(change)
        return {**query.params, "command": {"title": title, "command": ""}}

    return LaterAnswer(
        [*GIT, *words, os.path.basename(path)],
        os.path.dirname(path),
        answer,
        text.encode("utf-8", "surrogateescape"),
    )


RESOLVERS: Mapping[str, Callable[[ClientQuery, Json], Json]] = {"change": resolved_change}
"""What finds the texts of lenses other than uses."""
