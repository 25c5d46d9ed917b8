"""Puppet's own notation as data: read from its text, written as JSON data or over several lines."""

from __future__ import annotations

import json
import re
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record

TOKEN = lazy_pattern(r'\s*("(?:[^"\\]|\\.)*"|[()\[\]{}]|[^\s()\[\]{}"]+)', re.DOTALL)
OCTAL = lazy_pattern(r"\\o([0-7]{3})")
CONSTANTS = {"true": True, "false": False, "nil": None}
STEP = "  "

Form = Any
"""A call, a map, a list, or the text of a literal."""


@record(frozen=True)
class CallForm:
    """``(name argument …)``."""

    name: str
    arguments: list[Form]


@record(frozen=True)
class Map:
    """``{:key value …}``."""

    pairs: list[tuple[str, Form]]


@record(frozen=True)
class Literal:
    """A string, a number or a constant as it is written."""

    text: str


def read_pn(text: str) -> Form:
    """Return the form of a text in PN.

    >>> read_pn('(= (var "a") 1)').name
    '='
    """
    return form(iter(TOKEN.findall(text)))


def form(tokens: Any) -> Form:
    """Return the next form."""
    return form_of(next(tokens), tokens)


def form_of(word: str, tokens: Any) -> Form:
    """Return the form that begins with a word."""
    if word == "(":
        return CallForm(next(tokens), items(tokens, ")"))
    if word == "[":
        return items(tokens, "]")
    if word == "{":
        found = items(tokens, "}")
        return Map([(one.text, two) for one, two in zip(found[::2], found[1::2], strict=True)])
    return Literal(word)


def items(tokens: Any, closing: str) -> list[Form]:
    """Return the forms up to a bracket."""
    found = []
    while (word := next(tokens)) != closing:
        found.append(form_of(word, tokens))
    return found


def as_data(one: Form) -> Any:
    """Return a form as JSON data: calls are arrays under ``^``, maps arrays under ``#``.

    >>> as_data(read_pn('(f {:a [1 "b"]})'))
    {'^': ['f', {'#': ['a', [1, 'b']]}]}
    """
    if isinstance(one, CallForm):
        return {"^": [one.name, *map(as_data, one.arguments)]}
    if isinstance(one, Map):
        pairs = ((key.removeprefix(":"), as_data(value)) for key, value in one.pairs)
        return {"#": [part for pair in pairs for part in pair]}
    if isinstance(one, list):
        return [as_data(item) for item in one]
    return literal_value(one.text)


def literal_value(text: str) -> Any:
    r"""Return the value of a literal.

    >>> literal_value(r'"a\o001"'), literal_value("nil"), literal_value("1.5")
    ('a\x01', None, 1.5)
    """
    if text.startswith('"'):
        return json.loads(OCTAL.sub(lambda found: f"\\u{int(found[1], 8):04x}", text))
    return CONSTANTS[text] if text in CONSTANTS else json.loads(text)


def in_lines(one: Form, indent: str = "") -> str:
    """Return a form with each of its parts on a line of its own.

    >>> print(in_lines(read_pn('(= (var "a") [])')))
    (=
      (var
        "a")
      [])
    """
    deeper = indent + STEP
    if isinstance(one, CallForm):
        parts, opening, closing = [in_lines(item, deeper) for item in one.arguments], "(", ")"
        opening += one.name
    elif isinstance(one, Map):
        parts = [f"{key} {in_lines(value, deeper)}" for key, value in one.pairs]
        opening, closing = "{", "}"
    elif isinstance(one, list):
        parts, opening, closing = [in_lines(item, deeper) for item in one], "[", "]"
    else:
        return str(one.text)
    return opening + "".join(f"\n{deeper}{part}" for part in parts) + closing
