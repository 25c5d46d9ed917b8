"""How scalars are written in YAML: the styles of Ruby's library Psych and of the commands, without an emitter."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.formats.yaml import RefusedScalar, plain
from bunraku.formats.yaml_block import PLAIN_TEXT
from bunraku.values.numbers import float_text
from bunraku.values.regexp.regexp import Regexp

Value = Any


@record(frozen=True)
class Style:
    """Options for writing a document.

    With ``anchors``, a value that occurs twice is written once. Text that is not UTF-8 is written
    as Base64, or refused where ``only_utf_8`` is set.
    """

    ruby: bool
    anchors: bool = False
    only_utf_8: bool = False


PSYCH = Style(ruby=True, anchors=True, only_utf_8=True)
"""The style of Ruby's ``to_yaml``."""
LOOKUP = Style(ruby=True)
"""The style of ``puppet lookup``, whose values share nothing."""
PLAIN = Style(ruby=False)
"""The style of catalogs and facts that commands print."""


@record(frozen=True)
class RubyObject:
    """An object of a Ruby class with its attributes, for example a report of Puppet."""

    kind: str
    attributes: Mapping[str, Value]


@record(frozen=True)
class Plain:
    """Text that is written without quotes: a Ruby symbol (``:checked``) or a time."""

    text: str


SCALARS = frozenset({str, int, float, bool, type(None), Plain})
LEADING_SIGN = Regexp('^[^[:word:]][^"]*$')
INNER_LINE_END = lazy_pattern(r"\n(?!\n?\Z)")
NOT_OCTAL = lazy_pattern(r"\A0[0-7]*[89]")


def is_string(text: str) -> bool:
    """Return whether a plain scalar is read back as a string."""
    try:
        return plain(text).__class__ is str
    except RefusedScalar:
        return False


def is_utf_8(text: str) -> bool:
    """Return whether a text has no bytes that are not UTF-8, which are lone surrogates."""
    return text.isascii() or re.search("[\ud800-\udfff]", text) is None


def ruby_style(text: str, line_width: int | None = None) -> str | None:
    """Return the style that Psych chooses for a string; those longer than ``line_width`` are folded."""
    if INNER_LINE_END.search(text):
        return "|"
    if text in {"y", "n"}:
        return '"'
    if line_width is not None and len(text) > line_width:
        return ">"
    if LEADING_SIGN.search(text) is not None:
        return '"'
    return "'" if not is_string(text) or NOT_OCTAL.match(text) else None


def untagged_style(text: str) -> str | None:
    """Return the style of a string that is written without a tag; LookupError for others."""
    if text == "<<" or not is_utf_8(text):
        raise LookupError(text)
    return ruby_style(text)


def plain_scalar(value: Value) -> str | None:
    """Return the written form of null, a boolean, a number or plain text; None for other values."""
    kind = value.__class__
    if value is None:
        return ""
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        return scalar_text(value)
    return value.text if kind is Plain and PLAIN_TEXT.match(value.text) else None


def scalar_text(value: float) -> str:
    """Return a number; those without digits have names of their own."""
    if value.__class__ is float and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    return float_text(value) if value.__class__ is float else str(value)
