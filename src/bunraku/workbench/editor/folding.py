"""The pieces of a text that an editor can fold, and the pieces around a cursor that it can select."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.workbench.editor.completion.before import CLOSERS, OPENERS
from bunraku.workbench.editor.parsed import ParsedFile
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.snapshot import Snapshot


@record(frozen=True)
class Fold:
    """Lines that can be folded, counted from 1; the last one stays visible if it has a bracket only."""

    first: int
    last: int
    kind: Literal["code", "comment", "text"] = "code"


def folds(snapshot: Snapshot, path: str) -> list[Fold]:
    """Return what can be folded in a manifest or a template: brackets, comments, heredocs."""
    parsed = snapshot.parsed(path)
    if parsed is None:
        return []
    found = {*bracket_folds(parsed), *comment_folds(parsed), *heredoc_folds(parsed)}
    return sorted(found, key=lambda one: (one.first, -one.last))


def bracket_folds(parsed: ParsedFile) -> Iterator[Fold]:
    """Yield the pieces between brackets on several lines; the line of the closing one is not folded."""
    tokens, waiting = parsed.tokens, []
    for kind, start in zip(tokens.kinds, tokens.starts, strict=True):
        if kind in OPENERS:
            waiting.append(start)
        elif kind in CLOSERS and waiting:
            first, last = parsed.source.line(waiting.pop()), parsed.source.line(start) - 1
            if last > first:
                yield Fold(first, last)


def comment_folds(parsed: ParsedFile) -> Iterator[Fold]:
    """Yield the comments on several lines."""
    for start, end in parsed.tokens.comment_runs:
        yield from several_lines(parsed.source, start, end, "comment")


def heredoc_folds(parsed: ParsedFile) -> Iterator[Fold]:
    """Yield the texts of heredocs."""
    for start, end in parsed.tokens.heredocs:
        yield from several_lines(parsed.source, start, end, "text")


def several_lines(
    source: Source, start: int, end: int, kind: Literal["comment", "text"]
) -> Iterator[Fold]:
    """Yield the fold of a piece, if it has more than one line."""
    first, last = source.line(start), source.line(max(start, end - 1))
    if last > first:
        yield Fold(first, last, kind)


def selections(snapshot: Snapshot, path: str, offset: int) -> list[TextRange]:
    """Return the pieces around a cursor, each larger than the one before: word, expression, statement, …."""
    parsed = snapshot.parsed(path)
    if parsed is None:
        return []
    tokens = parsed.tokens
    places = [
        TextRange(start, end)
        for start, end in zip(tokens.starts, tokens.ends, strict=True)
        if start <= offset <= end and start < end
    ]
    whole = TextRange(0, len(parsed.source.text))
    nodes = parsed.path_to(offset)  # those of broken code can end behind the text
    places += [TextRange(one.start, min(one.end, whole.end)) for one in nodes]
    places.append(whole)
    found: list[TextRange] = []
    for one in sorted(places, key=lambda place: (place.end - place.start, place.start)):
        if not found or (
            one.start <= found[-1].start and one.end >= found[-1].end and one != found[-1]
        ):
            found.append(one)
    return found
