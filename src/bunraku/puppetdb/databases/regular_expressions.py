"""Regular expressions with PostgreSQL's meaning ("advanced regular expressions") on SQLite.

A pattern is translated to a form of Python's ``re``: only whether there is a match counts. ``re``
can need exponential time where a pattern repeats more than one thing; such patterns are searched
by :mod:`bunraku.puppetdb.databases.automaton`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import PuppetError
from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.automaton import (
    Alternatives,
    Anchor,
    Atom,
    Automaton,
    PlaceName,
    Repeat,
    Sequential,
    TooComplex,
    Tree,
)
from bunraku.puppetdb.query_failure import bad_query

LONGEST = 10_000
"""Characters in a pattern."""
LARGEST_BOUND = 255
LONG_TEXT = 10_000
"""Characters of a text on which even one repetition can take long with ``re``."""
END = r"(?![\s\S])"
DIGITS, SPACES, WORD = "0-9", r" \t\n\r\f\v", "A-Za-z0-9_"
CLASSES: Mapping[str, str] = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": DIGITS,
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": SPACES,
    "upper": "A-Z",
    "word": WORD,
    "xdigit": "0-9A-Fa-f",
}
SHORTHANDS: Mapping[str, str] = {
    "d": f"[{DIGITS}]",
    "D": f"[^{DIGITS}]",
    "s": f"[{SPACES}]",
    "S": f"[^{SPACES}]",
    "w": f"[{WORD}]",
    "W": f"[^{WORD}]",
}
BEFORE, AFTER = f"(?<![{WORD}])", f"(?![{WORD}])"
INSIDE_BEFORE, INSIDE_AFTER = f"(?<=[{WORD}])", f"(?=[{WORD}])"
PLACES: Mapping[str, str] = {
    "A": r"\A",
    "Z": END,
    "m": f"(?:{BEFORE}{INSIDE_AFTER})",
    "M": f"(?:{INSIDE_BEFORE}{AFTER})",
    "y": f"(?:{BEFORE}{INSIDE_AFTER}|{INSIDE_BEFORE}{AFTER})",
    "Y": f"(?:{BEFORE}{AFTER}|{INSIDE_BEFORE}{INSIDE_AFTER})",
}
CHARACTERS: Mapping[str, str] = {
    "a": r"\x07",
    "b": r"\x08",
    "B": r"\\",
    "e": r"\x1b",
    "f": r"\x0c",
    "n": r"\x0a",
    "r": r"\x0d",
    "t": r"\x09",
    "v": r"\x0b",
    "0": r"\x00",
}
PLACE_NAMES: Mapping[str, PlaceName] = {
    r"\A": "start",
    END: "end",
    PLACES["m"]: "word start",
    PLACES["M"]: "word end",
    PLACES["y"]: "word boundary",
    PLACES["Y"]: "no boundary",
}
QUANTIFIERS: Mapping[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
LOOKS = ("(?:", "(?=", "(?!", "(?<=", "(?<!")
BOUND = re.compile(r"\{(\d{1,3})(?:(,)(\d{1,3})?)?\}", re.ASCII)
OPTIONS = re.compile(r"\(\?([a-z]+)\)")
NAMED = re.compile(r"\[([:.=])(.+?)\1\]", re.DOTALL)
HEXADECIMAL = re.compile(r"x([0-9a-fA-F]{1,8})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})")
BACK_REFERENCE = re.compile(r"\\[1-9]")


def matches(pattern: str | None, text: str | None) -> bool | None:
    """Return whether a text has a match; None if one of them is null.

    >>> matches("^web[[:digit:]]+", "web01"), matches("a.c$", "a\\nc"), matches("^b", "a\\nb")
    (True, True, False)
    """
    if pattern is None or text is None:
        return None
    return search(pattern)(text)


@remembered(2048)
def search(pattern: str) -> Callable[[str], bool]:
    """Return a function that searches texts; PuppetError if the pattern is invalid."""
    found, ignore_case = translate(pattern)
    try:
        compiled = re.compile("".join(found), re.ASCII | (re.IGNORECASE if ignore_case else 0))
    except (re.error, RecursionError, OverflowError) as error:
        raise refused_pattern(pattern, str(error)) from None
    repetitions = sum(piece in QUANTIFIERS or piece.startswith("{") for piece in found)
    if repetitions > 1:
        return linear_search(pattern, found, ignore_case=ignore_case)

    def search_text(text: str) -> bool:
        if repetitions and len(text) > LONG_TEXT:
            return linear_search(pattern, found, ignore_case=ignore_case)(text)
        return compiled.search(text) is not None

    return search_text


def linear_search(
    pattern: str, found: Sequence[str], *, ignore_case: bool
) -> Callable[[str], bool]:
    """Return a function that searches without going back."""
    try:
        automaton = Automaton(PieceReader(pattern, found).choice(), ignore_case=ignore_case)
    except (TooComplex, RecursionError):
        raise refused_pattern(pattern, "regular expression is too complex") from None

    def search_text(text: str) -> bool:
        try:
            return automaton.search(text)
        except TooComplex:
            message = f"The regular expression '{pattern}' takes too long on a value"
            raise issues.QUERY_REFUSED(message=message) from None

    return search_text


class PieceReader:
    """Reads the pieces of a pattern, which Python has accepted, as a tree."""

    def __init__(self, pattern: str, found: Sequence[str]) -> None:
        self.pattern = pattern
        self.pieces = found
        self.position = 0

    def peek(self) -> str | None:
        """Return the piece at the position; None at the end."""
        return self.pieces[self.position] if self.position < len(self.pieces) else None

    def choice(self) -> Tree:
        """Read alternatives, up to the end of the group or of the pattern."""
        options = [self.sequence()]
        while self.peek() == "|":
            self.position += 1
            options.append(self.sequence())
        return options[0] if len(options) == 1 else Alternatives(tuple(options))

    def sequence(self) -> Tree:
        """Read one alternative."""
        items: list[Tree] = []
        while self.peek() not in {None, "|", ")"}:
            items.append(self.repeated(self.item()))
        return Sequential(tuple(items))

    def item(self) -> Tree:
        """Read one character, place or group."""
        piece = self.pieces[self.position]
        self.position += 1
        if piece in {"(", "(?:"}:
            inner = self.choice()
            self.position += 1
            return inner
        if piece in LOOKS or BACK_REFERENCE.fullmatch(piece):
            reason = "back references and lookaround are supported with one repetition only"
            raise refused_pattern(self.pattern, reason)
        place = PLACE_NAMES.get(piece)
        return Atom(piece) if place is None else Anchor(place)

    def repeated(self, item: Tree) -> Tree:
        """Return an item with the quantifiers after it; whether they are greedy does not matter."""
        while True:
            piece = self.peek() or ""
            if piece in QUANTIFIERS:
                least, most = QUANTIFIERS[piece]
            elif piece.startswith("{"):
                least, most = bounds_of(piece)
            else:
                return item
            self.position += 1
            item = Repeat(item, least, most)
            if self.peek() == "?":
                self.position += 1


def bounds_of(piece: str) -> tuple[int, int | None]:
    """Return the least and the greatest count of a bound."""
    least, comma, most = piece[1:-1].partition(",")
    return int(least), (int(most) if most else None) if comma else int(least)


def refused_pattern(pattern: str, reason: str) -> PuppetError:
    """Return the error of a pattern that PostgreSQL would refuse, too."""
    return bad_query(f"invalid regular expression '{pattern}': {reason}")


def translate(pattern: str) -> tuple[list[str], bool]:
    """Return a pattern in pieces of Python's form, and whether it ignores case."""
    if len(pattern) > LONGEST:
        raise bad_query(f"A regular expression has more than {LONGEST} characters")
    text = pattern.removeprefix("***:")
    if text.startswith("***="):
        return [re.escape(text.removeprefix("***="))], False
    options = OPTIONS.match(text)
    letters = options[1] if options else ""
    unknown = set(letters) - set("ceiqst")
    if unknown:
        raise refused_pattern(pattern, f"option '{min(unknown)}' is not supported")
    rest = text[options.end() :] if options else text
    if "q" in letters:
        return [re.escape(rest)], "i" in letters
    return list(pieces(rest, pattern)), "i" in letters


def pieces(text: str, pattern: str) -> Iterator[str]:
    """Yield the translated pieces of a pattern."""
    position = 0
    while position < len(text):
        piece, position = next_piece(text, position, pattern)
        yield piece


def next_piece(text: str, position: int, pattern: str) -> tuple[str, int]:
    """Return the translation of the atom at a position, and its end."""
    character = text[position]
    if character == "\\":
        return escape(text, position + 1, pattern)
    if character == "[":
        return bracket(text, position, pattern)
    if character == "(":
        return group(text, position, pattern)
    if character == "{":
        return bound(text, position, pattern)
    if character in SIMPLE:
        return SIMPLE[character], position + 1
    return re.escape(character), position + 1


SIMPLE: Mapping[str, str] = {
    ".": r"[\s\S]",
    "^": r"\A",
    "$": END,
    **{sign: sign for sign in "*+?|)"},
}


def group(text: str, position: int, pattern: str) -> tuple[str, int]:
    """Return the start of a group; named groups and options inside a pattern are refused."""
    if text[position + 1 : position + 2] != "?":
        return "(", position + 1
    for look in LOOKS:
        if text.startswith(look, position):
            return look, position + len(look)
    raise refused_pattern(pattern, "quantifier operand invalid")


def bound(text: str, position: int, pattern: str) -> tuple[str, int]:
    """Return a bound ``{2,5}``; without digits the brace is literal."""
    if not text[position + 1 : position + 2].isdigit():
        return r"\{", position + 1
    found = BOUND.match(text, position)
    if found is None:
        raise refused_pattern(pattern, "invalid repetition count(s)")
    least, most = int(found[1]), int(found[3] or found[1])
    if max(least, most) > LARGEST_BOUND or (found[3] and most < least):
        raise refused_pattern(pattern, "invalid repetition count(s)")
    return found[0], found.end()


def escape(text: str, position: int, pattern: str) -> tuple[str, int]:
    """Return the translation of an escape after its backslash, and its end."""
    character = text[position : position + 1]
    if not character:
        raise refused_pattern(pattern, "invalid escape \\ sequence")
    for table in (SHORTHANDS, PLACES, CHARACTERS):
        if character in table:
            return table[character], position + 1
    if character in "123456789":
        return f"\\{character}", position + 1
    hexadecimal = HEXADECIMAL.match(text, position)
    if hexadecimal:
        return hexadecimal_character(hexadecimal, pattern), hexadecimal.end()
    if character.isalnum():
        raise refused_pattern(pattern, "invalid escape \\ sequence")
    return re.escape(character), position + 1


def hexadecimal_character(found: re.Match[str], pattern: str) -> str:
    """Return the character of ``\\x``, ``\\u`` or ``\\U``."""
    number = int(found[1] or found[2] or found[3], 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise refused_pattern(pattern, "invalid escape \\ sequence")
    return re.escape(chr(number))


def bracket(text: str, position: int, pattern: str) -> tuple[str, int]:
    """Return the translation of a bracket expression ``[^a-z[:digit:]]``, and where it ends."""
    for word_place, translation in (("[[:<:]]", PLACES["m"]), ("[[:>:]]", PLACES["M"])):
        if text.startswith(word_place, position):
            return translation, position + len(word_place)
    position += 1
    negated = text.startswith("^", position)
    position += negated
    items: list[str] = []
    while not (text.startswith("]", position) and items):
        if position >= len(text):
            raise refused_pattern(pattern, "brackets [] not balanced")
        item, position = bracket_item(text, position, pattern)
        items.append(item)
    return f"[{'^' * negated}{''.join(items)}]", position + 1


def bracket_item(text: str, position: int, pattern: str) -> tuple[str, int]:
    """Return a class, a character or a range of a bracket expression."""
    named = NAMED.match(text, position)
    if named and named[1] == ":":
        if named[2] not in CLASSES:
            raise refused_pattern(pattern, "invalid character class")
        return CLASSES[named[2]], named.end()
    if text.startswith("\\", position) and text[position + 1 : position + 2] in set("dsw"):
        return SHORTHANDS[text[position + 1]][1:-1], position + 2
    first, position = bracket_character(text, position, pattern)
    if not text.startswith("-", position) or text[position + 1 : position + 2] in {"]", ""}:
        return in_brackets(first), position
    last, position = bracket_character(text, position + 1, pattern)
    if last < first:
        raise refused_pattern(pattern, "invalid character range")
    return f"{in_brackets(first)}-{in_brackets(last)}", position


def bracket_character(text: str, position: int, pattern: str) -> tuple[str, int]:
    """Return one character of a bracket expression, and where it ends."""
    named = NAMED.match(text, position)
    if named:
        if len(named[2]) != 1 or named[1] == ":":
            raise refused_pattern(pattern, "invalid collating element")
        return named[2], named.end()
    if not text.startswith("\\", position):
        return text[position : position + 1], position + 1
    translated, end = escape(text, position + 1, pattern)
    single = re.fullmatch(r"\\x([0-9a-f]{2})|\\?(.)", translated, re.DOTALL)
    if single is None:
        raise refused_pattern(pattern, "invalid escape \\ sequence")
    return (chr(int(single[1], 16)) if single[1] else single[2]), end


def in_brackets(character: str) -> str:
    """Return a character as it is written in brackets of the common form."""
    return f"\\{character}" if character in r"\[]^-&~|" else character
