"""Keys of lookups: ``a.b.0.'c.d'`` is the value of ``a``, and a way into it."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.hiera import issues
from bunraku.hiera.explain import Explanation
from bunraku.values.missing import MISSING

Value = Any
Segment = str | int
SPECIAL = lazy_pattern(r"['\".]")
SEGMENT = r"""(?:\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)"""
DOTTED = lazy_pattern(rf"{SEGMENT}(?:\.{SEGMENT})*")
NUMBER = lazy_pattern(r"[+-]?[0-9]+")
RUBY_CLASSES = {str: "String", int: "Integer", float: "Float", bool: "Boolean", list: "Array"}
KINDS = {str: "a string", int: "a number", float: "a number", bool: "a Boolean", list: "an array"}


@record(frozen=True)
class Key:
    """A key that was taken apart: its first name, the way below it, the module it belongs to."""

    text: str
    root: str
    segments: tuple[Segment, ...]
    module: str | None


@remembered(16384)
def parse_key(text: str, where: str = "") -> Key:
    """Take a key apart.

    >>> parse_key("ntp::servers.0.'a.b'")
    Key(text="ntp::servers.0.'a.b'", root='ntp::servers', segments=(0, 'a.b'), module='ntp')
    """
    if not SPECIAL.search(text):
        root = text
        segments: tuple[Segment, ...] = ()
    else:
        if not DOTTED.fullmatch(text):
            raise issues.INVALID_KEY(key=text, where=where)
        first, *others = (segment(piece) for piece in re.findall(SEGMENT, text))
        root, segments = str(first), tuple(others)
    module, qualified, _ = root.partition("::")
    return Key(text, root, segments, module if qualified else None)


def segment(piece: str) -> Segment:
    """Return a segment of a key: a name, or an index of an array."""
    piece = piece.strip()
    if piece[:1] in {"'", '"'}:
        return piece[1:-1]
    return int(piece) if NUMBER.fullmatch(piece) else piece


def dig(key: str, segments: tuple[Segment, ...], value: Value, explain: Explanation) -> Value:
    """Return the value that the segments lead to, or MISSING.

    >>> from bunraku.hiera.explain import SILENT
    >>> dig("a.b.1", ("b", 1), {"b": [1, 2]}, SILENT)
    2
    """
    if explain.active:
        return dig_in_steps(key, segments, value, explain)
    for segment in segments:
        value = inner_value(key, segment, value)
        if value is MISSING:
            break
    return value


def dig_in_steps(
    key: str, segments: tuple[Segment, ...], value: Value, explain: Explanation
) -> Value:
    """Return the value that the segments lead to, or MISSING, and explain each of them."""
    with explain.step("sub_key", ".".join(map(str, segments))):
        for segment in segments:
            with explain.step("segment", ""):
                value = inner_value(key, segment, value)
                if value is MISSING:
                    explain.missing(segment)
                    break
                explain.found(segment, value)
    return value


def inner_value(key: str, segment: Segment, value: Value) -> Value:
    """Return the element of an array or a hash that a segment of a key names, or MISSING."""
    if value.__class__ is dict:
        return value.get(segment, MISSING)
    if segment.__class__ is int and value.__class__ is list:
        return value[segment] if 0 <= segment < len(value) else MISSING
    if value is None:
        return MISSING
    kind = KINDS.get(value.__class__, "a value of its kind")
    found = RUBY_CLASSES.get(value.__class__, value.__class__.__name__)
    raise issues.DIG_MISMATCH(key=key, segment=segment, kind=kind, found=found)


def undig(segments: tuple[Segment, ...], value: Value) -> Value:
    """Return a structure in which the segments lead to the value.

    >>> undig(("b", 1), "x")
    {'b': [None, 'x']}
    """
    for part in reversed(segments):
        value = [*[None] * part, value] if isinstance(part, int) else {part: value}
    return value
