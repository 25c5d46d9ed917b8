"""JSON as Ruby's library writes and reads it."""

from __future__ import annotations

import math
import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json as read_json
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.ruby import new_s, to_s
from bunraku.values.keys import pairs

Value = Any

ESCAPED = lazy_pattern(r'["\\\x00-\x1f]')
ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}


def escape_letter(found: re.Match[str]) -> str:
    """Return a letter that cannot stand in a JSON string."""
    letter = found[0]
    return ESCAPES.get(letter) or f"\\u{ord(letter):04x}"


@record(frozen=True)
class Layout:
    """The blanks between the parts, and how deep a value may be."""

    indent: str = ""
    space: str = ""
    space_before: str = ""
    object_nl: str = ""
    array_nl: str = ""
    allow_nan: bool = False
    max_nesting: int = 100


COMPACT = Layout()
PRETTY = Layout(indent="  ", space=" ", object_nl="\n", array_nl="\n")


@record()
class JsonWriter:
    """Writes values in a layout."""

    function_name: str
    layout: Layout

    def text(self, value: Value, depth: int = 0) -> str:
        """Return the JSON of a value at a depth."""
        kind = value.__class__
        if value is None:
            return "null"
        if kind is bool:
            return "true" if value else "false"
        if kind is list:
            return self.array(value, depth + 1)
        if kind is dict:
            return self.object(value, depth + 1)
        if kind is float and not (math.isfinite(value) or self.layout.allow_nan):
            raise self.refusal(to_s(value))
        if kind is int or kind is float:
            return to_s(value)
        return self.string(new_s(value))

    def refusal(self, what: str) -> Exception:
        """Return the error for what JSON has no form for."""
        return issues.NOT_WRITTEN(name=self.function_name, actual=what, format="JSON")

    def string(self, text: str) -> str:
        """Return a string in its quotes."""
        if not text.isascii() and re.search("[\ud800-\udfff]", text):
            raise self.refusal("a string that is not UTF-8")
        return f'"{ESCAPED.sub(escape_letter, text)}"'

    def check_depth(self, depth: int) -> None:
        """Refuse what is nested too deeply."""
        if 0 < self.layout.max_nesting < depth:
            raise self.refusal(f"a nesting of {depth}")

    def array(self, values: list[Value], depth: int) -> str:
        """Return an array in its brackets."""
        self.check_depth(depth)
        layout = self.layout
        inner, outer = layout.indent * depth, layout.indent * (depth - 1)
        body = f",{layout.array_nl}".join(inner + self.text(item, depth) for item in values)
        return f"[{layout.array_nl}{body}{layout.array_nl}{outer}]"

    def object(self, entries: dict[Any, Value], depth: int) -> str:
        """Return an object in its braces."""
        self.check_depth(depth)
        layout = self.layout
        inner, outer = layout.indent * depth, layout.indent * (depth - 1)
        between = f"{layout.space_before}:{layout.space}"
        body = f",{layout.object_nl}".join(
            inner + self.string(new_s(key)) + between + self.text(item, depth)
            for key, item in pairs(entries)
        )
        start = layout.object_nl if entries else ""
        return f"{{{start}{body}{layout.object_nl}{outer}}}"


COMMENT = lazy_pattern(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//[^\n]*(?=\n)', re.DOTALL)
DEEPEST = 100


def parse_json(text: str) -> Value:
    """Return the value of a JSON text; ValueError tells what is wrong with it.

    >>> parse_json('{"a": [1, null]} ')
    {'a': [1, None]}
    """
    if "/" in text:
        text = COMMENT.sub(lambda found: found[1] or " ", text)
    try:
        value = read_json(text)
    except FormatError as error:
        raise ValueError(error.problem) from None
    if text.count("[") + text.count("{") > DEEPEST and depth_of(value) > DEEPEST:
        raise ValueError("it is nested too deeply")
    return value


def depth_of(value: Value) -> int:
    """Return how deep arrays and hashes are nested."""
    kind = value.__class__
    if kind is not list and kind is not dict:
        return 0
    return 1 + max(map(depth_of, value if kind is list else value.values()), default=0)
