"""Literals: names, numbers, strings, heredocs, arrays and hashes."""

from __future__ import annotations

from bunraku.base.lazy_typing import Final
from bunraku.syntax.nodes import (
    Boolean,
    Default,
    Entry,
    Expression,
    Float,
    Hash,
    Heredoc,
    Integer,
    List,
    Name,
    Reference,
    Regexp,
    ReservedWord,
    String,
    Undef,
    Variable,
)
from bunraku.syntax.parser.blocks import concatenation
from bunraku.syntax.parser.operators import PREFIXES, prefix
from bunraku.syntax.parser.recovery import expect_end, supplies_comma
from bunraku.syntax.parser.state import Parser
from bunraku.syntax.parser.statements import assignment

ENTRY_WORDS: Final = frozenset({"type", "function"})
AFTER_ENTRY_WORD: Final = frozenset({"=>", ",", "]", "}", ")"})


# -- names and numbers ---------------------------------------------------------------------------


@prefix("VARIABLE")
def variable(parser: Parser) -> Variable:
    """Parse ``$name``."""
    at = parser.at
    parser.at = at + 1
    return Variable(parser.starts[at], parser.ends[at], parser.values[at])


@prefix("NAME")
def bare_name(parser: Parser) -> Name:
    """Parse a lower-case name."""
    at = parser.at
    parser.at = at + 1
    return Name(parser.starts[at], parser.ends[at], parser.values[at])


@prefix("CLASSREF")
def reference(parser: Parser) -> Reference:
    """Parse a capitalised name."""
    at = parser.at
    parser.at = at + 1
    return Reference(parser.starts[at], parser.ends[at], parser.values[at])


@prefix("NUMBER")
def number(parser: Parser) -> Expression:
    """Parse ``42``, ``0x2A``, ``052``, ``1.5``."""
    at = parser.at
    parser.at = at + 1
    text: str = parser.values[at]
    start, end = parser.starts[at], parser.ends[at]
    if text.isdecimal():
        if text[0] == "0" and len(text) > 1:
            return Integer(start, end, int(text, 8), 8)
        return Integer(start, end, decimal(text), 10)
    if text[1] in "xX":
        return Integer(start, end, int(text, 16), 16)
    return Float(start, end, float(text), text)


def decimal(text: str) -> int:
    """Return a decimal number, however long; Python refuses to convert very long ones at once.

    >>> decimal("9" * 5000) == 10**5000 - 1
    True
    """
    if len(text) < 4000:
        return int(text)
    half = len(text) // 2
    power: int = 10 ** (len(text) - half)
    return decimal(text[:half]) * power + decimal(text[half:])


@prefix("BOOLEAN")
def boolean(parser: Parser) -> Boolean:
    """Parse ``true``, ``false``."""
    at = parser.at
    parser.at = at + 1
    return Boolean(parser.starts[at], parser.ends[at], parser.values[at] == "true")


@prefix("undef")
def undef(parser: Parser) -> Undef:
    """Parse ``undef``."""
    at = parser.at
    parser.at = at + 1
    return Undef(parser.starts[at], parser.ends[at])


@prefix("default")
def default(parser: Parser) -> Default:
    """Parse ``default``."""
    at = parser.at
    parser.at = at + 1
    return Default(parser.starts[at], parser.ends[at])


def reserved_word(parser: Parser) -> ReservedWord:
    """Parse ``attr``, ``private`` and other words that the dialect reserves."""
    at = parser.at
    parser.at = at + 1
    word: str = parser.values[at]
    future = word in parser.dialect.words.future
    return ReservedWord(parser.starts[at], parser.ends[at], word, future)


# -- texts ---------------------------------------------------------------------------------------

PREFIXES["DQPRE"] = concatenation


@prefix("STRING", "WORD")
def string(parser: Parser) -> String:
    """Parse ``'text'``, and a bare word with dashes."""
    at = parser.at
    parser.at = at + 1
    return String(parser.starts[at], parser.ends[at], parser.values[at])


@prefix("REGEX")
def regexp(parser: Parser) -> Regexp:
    """Parse ``/pattern/``."""
    at = parser.at
    parser.at = at + 1
    return Regexp(parser.starts[at], parser.ends[at], parser.values[at])


def interpolated(parser: Parser) -> Expression:
    """Parse an expression as wide as an assignment; most are a single variable."""
    at = parser.at
    if parser.kinds[at] == "VARIABLE" and parser.kinds[at + 1] in ("DQMID", "DQPOST"):
        parser.at = at + 1
        return Variable(parser.starts[at], parser.ends[at], parser.values[at])
    return assignment(parser)


@prefix("HEREDOC")
def heredoc(parser: Parser) -> Heredoc:
    """Parse ``@(tag)`` and its text."""
    at = parser.at
    parser.at = at + 1
    kind = parser.kinds[at + 1]
    if kind == "STRING":
        text: Expression = string(parser)
    elif kind == "DQPRE":
        text = concatenation(parser)
    else:
        raise parser.unexpected()
    return Heredoc(parser.starts[at], parser.ends[at], parser.values[at], text)


# -- arrays and hashes ---------------------------------------------------------------------------


@prefix("[", "LISTSTART")
def array(parser: Parser) -> List:
    """Parse ``[ entries ]``."""
    kinds = parser.kinds
    start = parser.starts[parser.at]
    parser.at += 1
    found: list[Expression] = []
    if kinds[parser.at] != "]":
        found.append(element(parser))
        while parser.accept(",") or (kinds[parser.at] != "]" and supplies_comma(parser, "]")):
            if kinds[parser.at] == "]":
                break
            gather(found, element(parser))
    return List(start, expect_end(parser, "]"), found)


def element(parser: Parser) -> Expression:
    """Parse a value or entry in an array."""
    kinds = parser.kinds
    at = parser.at
    if not parser.dialect.loose_entries:
        return assignment(parser)
    if kinds[at] in ENTRY_WORDS and kinds[at + 1] in AFTER_ENTRY_WORD:
        value: Expression = string(parser)
    else:
        value = assignment(parser)
    return loose_entry(parser, value) if kinds[parser.at] == "=>" else value


def gather(found: list[Expression], item: Expression) -> None:
    """Add an element or argument; an entry of a hash without braces joins the entry before it."""
    if item.__class__ is Hash and not item.braces:
        last = found[-1]
        if last.__class__ is Hash and not last.braces:
            last.entries.extend(item.entries)
            found[-1] = Hash(last.start, item.end, last.entries, False)
            return
    found.append(item)


def loose_entry(parser: Parser, key: Expression) -> Hash:
    """Parse ``key => value`` as a hash without braces."""
    found = entry(parser, key)
    return Hash(found.start, found.end, [found], False)


@prefix("{")
def hash_literal(parser: Parser) -> Hash:
    """Parse ``{ key => value }``."""
    kinds = parser.kinds
    start = parser.starts[parser.at]
    parser.at += 1
    entries: list[Entry] = []
    if kinds[parser.at] != "}":
        entries.append(entry(parser, entry_side(parser)))
        while parser.accept(",") or (kinds[parser.at] != "}" and supplies_comma(parser, "}", "=>")):
            if kinds[parser.at] == "}":
                break
            entries.append(entry(parser, entry_side(parser)))
    return Hash(start, expect_end(parser, "}", "=>"), entries)


def entry(parser: Parser, key: Expression) -> Entry:
    """Parse ``=> value`` after a key."""
    parser.expect("=>")
    value = entry_side(parser)
    return Entry(key.start, value.end, key, value)


def entry_side(parser: Parser) -> Expression:
    """Parse the key or value of an entry; ``type`` and ``function`` may be texts there."""
    at = parser.at
    if (
        parser.kinds[at] in ENTRY_WORDS
        and parser.kinds[at + 1] in AFTER_ENTRY_WORD
        and parser.kinds[at] not in parser.dialect.words.reserved
    ):
        return string(parser)
    return assignment(parser)
