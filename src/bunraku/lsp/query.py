"""One request of a client: its parameters, and what is needed to answer it."""

from __future__ import annotations

from functools import cached_property

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import record
from bunraku.base.text_edits import Edit
from bunraku.lsp.connection import INVALID_PARAMS, InvalidMessage
from bunraku.lsp.positions import Lines, lines_of, position_in
from bunraku.lsp.shapes import is_text
from bunraku.lsp.uris import path_uri, uri_path
from bunraku.workbench.editor.guard import Guard
from bunraku.workbench.editor.mentions import PuppetSymbol
from bunraku.workbench.editor.places import FilePlace, TextRange
from bunraku.workbench.editor.snapshot import Snapshot

if TYPE_CHECKING:
    from bunraku.lsp.protocol import Location, Position, Range, TextEdit
    from bunraku.lsp.session import ClientSession

Json = Any
"""An answer: what JSON can hold."""


@record(eq=False, slots=False)
class ClientQuery:
    """A request: the session has its client, ``params`` are those of the message."""

    session: ClientSession
    params: dict[str, Any]
    guard: Guard

    @cached_property
    def snapshot(self) -> Snapshot:
        """The state of the workspace that the answer is about."""
        return self.session.host.snapshot(self.guard)

    # -- from the client -------------------------------------------------------------------------

    @cached_property
    def path(self) -> str:
        """The path of the document. Raises InvalidMessage."""
        return uri_path(member(self.params, "textDocument", "uri"))

    @cached_property
    def offset(self) -> int:
        """The character offset of the cursor."""
        return self.offset_of(member(self.params, "position"))

    def offset_of(self, position: Position) -> int:
        """Return the character offset of a position in the document."""
        return self.lines(self.path).offset(position, self.session.encoding)

    def text_range(self, found: Range) -> TextRange:
        """Return a range of the document in characters."""
        return TextRange(self.offset_of(found["start"]), self.offset_of(found["end"]))

    # -- to the client ---------------------------------------------------------------------------

    def lines(self, path: str) -> Lines:
        """Return the lines of a file; those of no text if it cannot be read."""
        source = self.snapshot.source(path)
        return lines_of("" if source is None else source.text)

    def range(self, path: str, piece: TextRange) -> Range:
        """Return a piece of a file as the client counts."""
        starts = self.snapshot.line_starts(path)
        if starts is not None:
            return {
                "start": position_in(starts, piece.start),
                "end": position_in(starts, piece.end),
            }
        return self.lines(path).range(piece.start, piece.end, self.session.encoding)

    def location(self, place: FilePlace) -> Location:
        """Return a place in a file."""
        return {"uri": path_uri(place.path), "range": self.range(place.path, place.range)}

    def text_edit(self, path: str, edit: Edit) -> TextEdit:
        """Return an edit of a file."""
        piece = TextRange(edit.start, edit.end)
        return {"range": self.range(path, piece), "newText": edit.text}

    def can(self, *path: str) -> bool:
        """Return whether the client has a capability, such as ``textDocument``, ``hover``, ``x``."""
        return bool(self.session.capability(*path))


def symbol_in(params: Any) -> PuppetSymbol:
    """Return the symbol that a client sends back by ``kind`` and ``name``. Raises InvalidMessage."""
    kind, name = member(params, "kind"), member(params, "name")
    if not is_text(kind) or not is_text(name):
        raise InvalidMessage(INVALID_PARAMS, "kind and name are not those of a symbol")
    return PuppetSymbol(kind, name)


def member(params: Any, *names: str) -> Any:
    """Return a value inside of parameters; InvalidMessage if they lack it."""
    for name in names:
        if not isinstance(params, dict) or params.get(name) is None:
            raise InvalidMessage(INVALID_PARAMS, f"the parameters lack {'.'.join(names)}")
        params = params[name]
    return params
