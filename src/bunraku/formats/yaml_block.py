"""Write large plain data as YAML, line by line: the output of libyaml in a fraction of its time.

A report of thousands of resources is mappings and sequences of short words. Their lines are put
together here, each distinct word is examined once. All else (text of several lines, text that is
folded, objects) goes through the emitter, as a separate document with the same indentation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.values.keys import pairs

Value = Any
WIDTH = 80
"""The column after which the emitter folds text at a space."""
LONGEST_KEY = 128
"""Characters of a key above which the emitter writes ``? KEY``."""
PLAIN_TEXT = lazy_pattern(r"(?!.*(?:: | #|[: ]\Z))[A-Za-z0-9_:][ -~]*\Z")
"""Text that is written without quotes if its style allows it."""
QUOTED_TEXT = {
    None: PLAIN_TEXT,
    "'": lazy_pattern(r"(?! )[ -&(-~]+(?<! )\Z"),
    '"': lazy_pattern(r"[ !#-\[\]-~]+\Z"),
}
"""Style → text that is written unchanged between its quotes."""
NESTED: dict[type, str] = {dict: "{}", list: "[]", tuple: "[]"}
"""The kinds of nested data → how an empty one is written."""


class BlockWriter:
    """Writes data in blocks.

    ``style_of`` returns the quotes of a string, or raises LookupError for a string that is written
    in another form. ``scalar_of`` returns other values as text, None for values that the emitter
    must write. ``emit`` returns the lines of a document that the emitter writes.
    """

    def __init__(
        self,
        style_of: Callable[[str], str | None],
        scalar_of: Callable[[Value], str | None],
        emit: Callable[[Value], list[str]],
    ) -> None:
        self.style_of = style_of
        self.scalar_of = scalar_of
        self.emit = emit
        self.lines: list[str] = []
        """The lines of the document."""
        self.texts: dict[str, str | None] = {}
        """String → its written form on one line."""
        self.starts: dict[str, dict[str, str]] = {}
        """Indentation → key → the start of its line."""

    def mapping(self, data: dict[Value, Value], indent: str) -> None:
        """Add the lines of a mapping that is not empty."""
        lines, starts = self.lines, self.starts.setdefault(indent, {})
        for key, value in pairs(data):
            if key.__class__ is not str or (start := starts.get(key)) is None:
                name = self.key(key)
                if name is None:
                    self.add_emitted({key: value}, indent)
                    continue
                start = f"{indent}{name}:"
                if key.__class__ is str:
                    starts[key] = start
            kind = value.__class__
            if kind in NESTED and value:
                lines.append(start)
                self.block(value, indent + "  " if kind is dict else indent)
            elif (text := self.scalar(value)) is not None and fits(text, len(start) + 1):
                lines.append(f"{start} {text}" if text else start)
            else:
                self.add_emitted({key: value}, indent)

    def sequence(self, items: Sequence[Value], indent: str) -> None:
        """Add the lines of a sequence that is not empty."""
        lines, start = self.lines, f"{indent}-"
        for item in items:
            if item.__class__ in NESTED and item:
                first = len(lines)
                self.block(item, indent + "  ")
                lines[first] = f"{start} {lines[first][len(start) + 1 :]}"
            elif (text := self.scalar(item)) is not None and fits(text, len(start) + 1):
                lines.append(f"{start} {text}" if text else start)
            else:
                self.add_emitted([item], indent)

    def block(self, value: Value, indent: str) -> None:
        """Add the lines of a mapping or a sequence that is not empty."""
        if value.__class__ is dict:
            self.mapping(value, indent)
        else:
            self.sequence(value, indent)

    # -- words -----------------------------------------------------------------------------------

    def key(self, key: Value) -> str | None:
        """Return the written form of a key, None if the emitter must write it."""
        text = None if key is None else self.scalar(key)
        return text if text is not None and len(text) <= LONGEST_KEY else None

    def scalar(self, value: Value) -> str | None:
        """Return the written form of a value on one line, None if the emitter must write it."""
        kind = value.__class__
        if kind is not str:
            return NESTED[kind] if kind in NESTED else self.scalar_of(value)
        texts = self.texts
        if value not in texts:
            texts[value] = self.examined(value)
        return texts[value]

    def examined(self, text: str) -> str | None:
        """Return a string in its quotes, None if a part of it must be escaped."""
        try:
            style = self.style_of(text)
        except LookupError:
            return None
        pattern = QUOTED_TEXT.get(style)
        if pattern is None or pattern.match(text) is None:
            return None
        quote = style or ""
        return f"{quote}{text}{quote}"

    # -- the rest --------------------------------------------------------------------------------

    def add_emitted(self, part: Value, indent: str) -> None:
        """Add the lines of an entry or an item that the emitter writes."""
        levels = len(indent) // 2 + (part.__class__ is list)
        for _ in range(levels):
            part = {"k": part}
        self.lines += self.emit(part)[levels:]


def fits(text: str, column: int) -> bool:
    """Return whether a text that starts in a column is not folded."""
    last = text.rfind(" ")
    return last < 0 or column + last <= WIDTH
