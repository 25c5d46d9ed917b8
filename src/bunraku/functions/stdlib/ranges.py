"""Ranges of numbers and of strings, as Ruby counts them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, need_string, unsuitable
from bunraku.functions.stdlib import issues
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.ruby_semantics.numbers import has_to_i, to_i

Value = Any
function = Api3Table()

LIMIT = 1_000_000
LAST = {"9": "0", "z": "a", "Z": "A"}
CARRY = {"0": "1", "a": "a", "A": "A"}
ALPHANUMERIC = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def successor(text: str) -> str:
    """Return the string after a string: its last letter or digit counted up, with carry.

    >>> [successor(text) for text in ("az", "Zz", "a9", "1.9", "-9", "a.9", "", "**")]
    ['ba', 'AAa', 'b0', '2.0', '-10', 'a.10', '', '*+']
    """
    letters = list(text)
    last: int | None = None
    for at in range(len(letters) - 1, -1, -1):
        letter = letters[at]
        if letter not in ALPHANUMERIC:
            continue
        if last is not None and last - at > 1 and letters[last].isdigit() != letter.isdigit():
            break
        last = at
        if letter not in LAST:
            letters[at] = chr(ord(letter) + 1)
            return "".join(letters)
        letters[at] = LAST[letter]
    if last is not None:
        letters.insert(last, CARRY[letters[last]])
    elif letters:
        letters[-1] = chr(ord(letters[-1]) + 1)
    return "".join(letters)


def count_strings(first: str, last: str, *, inclusive: bool) -> Iterator[str]:
    """Yield the strings from one to another."""
    if len(first) == 1 and len(last) == 1 and first.isascii() and last.isascii():
        yield from map(chr, range(ord(first), ord(last) + inclusive))
        return
    if re.fullmatch(r"[0-9]+", first) and re.fullmatch(r"[0-9]+", last):
        width = len(first)
        for number in range(int(first), int(last) + inclusive):
            yield f"{number:0{width}d}"
        return
    if first.encode("utf-8", "surrogateescape") > last.encode("utf-8", "surrogateescape"):
        return
    if first == last and not inclusive:
        return
    after, current, longest = successor(last), first, byte_count(last)
    while current != after:
        at_end = current == last
        if at_end and not inclusive:
            return
        yield current
        if at_end:
            return
        current = successor(current)
        if not current or byte_count(current) > longest:
            return


def byte_count(text: str) -> int:
    """Return the length of a text in Ruby's ranges.

    >>> byte_count("é")
    2
    """
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


TEXT = lazy_pattern(r"^(\w+)(\.\.\.?|-)(\w+)$", re.MULTILINE | re.ASCII)
DIGITS = lazy_pattern(r"^[0-9]+$", re.MULTILINE)


def number_of(value: Value) -> int:
    """Return a bound as an integer."""
    if not has_to_i(value):
        raise unsuitable("range", 1, "a number or a String", value)
    return to_i(value)


def counted(first: Value, last: Value, step: int, *, inclusive: bool) -> list[Value]:
    """Return the numbers or strings of a range, by steps."""
    if DIGITS.search(to_s(first)):
        start, stop = number_of(first), number_of(last)
        return list(islice(range(start, stop + inclusive, step), LIMIT))
    strings = count_strings(to_s(first), to_s(last), inclusive=inclusive)
    step = min(step, sys.maxsize // LIMIT)  # a larger step leaves the first one, too
    return list(islice(strings, 0, LIMIT * step, step))


@function.api_3("range", since="2.2.0")
def range_of(first: Value, last: Value = None, step: Value = None, *_: Value) -> list[Value]:
    """Return the numbers or strings from one to another, by steps.

    ```puppet
    range(0, 9, 3) == [0, 3, 6, 9]
    range('a', 'c') == ['a', 'b', 'c']
    range('1..3') == [1, 2, 3]
    ```
    """
    if last is None:
        text = need_string(first, "range")
        found = TEXT.search(text)
        if found is None:
            raise issues.NOT_A_RANGE(name="range", text=text)
        return counted(found[1], found[3], 1, inclusive=found[2] != "...")
    size = 1
    if step is not None:
        if not has_to_i(step):
            raise unsuitable("range", 2, "an Integer", step)
        size = abs(to_i(step))
    if size == 0:
        raise issues.ZERO_STEP(name="range")
    return counted(first, last, size, inclusive=True)
