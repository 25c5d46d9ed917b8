r"""Ruby's regular expressions in Python's spelling, where one exists that means exactly the same.

The translator reads a Ruby pattern and either writes what ``re`` (with ``re.ASCII`` and
``re.MULTILINE``) takes for the same thing, or raises :class:`Elsewhere`: then Oniguruma serves.
It is careful: anything unknown goes elsewhere. Where both agree only on ASCII text (letter
case, ``\b``, POSIX brackets), or where ``re``, which cannot be stopped, may try exponentially many
ways, the translation reports it.
"""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.values.regexp.pieces import (
    Piece,
    anchor,
    is_safe_loop,
    join_alternatives,
    join_sequence,
)

IGNORECASE = 1
EXTENDED = 2
MULTILINE = 4

# Text lengths up to which `re` is trusted with repetitions that it may try in very many ways.
EXPONENTIAL_LIMIT = 16
CUBIC_LIMIT = 2_000
QUADRATIC_LIMIT = 50_000

MANY = 8  # a repetition with a limit up to this one is harmless


class Elsewhere(Exception):
    """The pattern has no exact equal in Python's ``re``."""


class Invalid(Exception):
    """Ruby refuses the pattern."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@record()
class Translation:
    """Python's spelling; on which texts it holds: only ASCII ones, only short ones."""

    text: str
    ascii_only: bool
    length_limit: int | None


SHARED_CLASSES = "wWdDsS"
HEX_CLASS = "0-9a-fA-F"
POSIX = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": " \\t\\n\\r\\f\\v",
    "blank": " \\t",
    "punct": "!-/:-@\\[-`{-~",
    "cntrl": "\\x00-\\x1f\\x7f",
    "xdigit": "0-9a-fA-F",
    "word": "\\w",
    "graph": "!-~",
    "print": " -~",
    "ascii": "\\x00-\\x7f",
}
NOT_POSIX = {
    "digit": "\\D",
    "word": "\\W",
    "space": "\\S",
}
QUANTIFIER = lazy_pattern(r"[*+?]|\{(\d*)(,?)(\d*)\}")
NAMED_GROUP = lazy_pattern(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<([^=!>][^>]*)>|'([^']+)')", re.DOTALL)
NAME = lazy_pattern(r"[^\W\d]\w*\Z")


def group_names(pattern: str) -> dict[str, list[int]]:
    """Return the numbers of each named group, in the order in which the groups open."""
    names: dict[str, list[int]] = {}
    number = 0
    for match in NAMED_GROUP.finditer(pattern):
        name = match[1] or match[2]
        if name:
            number += 1
            names.setdefault(name, []).append(number)
    return names


def translate(pattern: str, options: int, *, loose: bool = False) -> Translation:
    """Return the pattern for Python's ``re``; raises Elsewhere or Invalid.

    ``loose`` allows loops over possibly empty parts, where engines may differ in captured groups.
    """
    names = group_names(pattern)
    if any(len(numbers) > 1 for numbers in names.values()):
        raise Elsewhere
    translator = Translator(pattern, options, names)
    translator.loose = loose
    piece = translator.alternatives(options)
    if translator.at < len(pattern):
        raise Elsewhere  # an unmatched parenthesis
    text = f"(?i:{piece.text})" if options & IGNORECASE else piece.text
    return Translation(text, translator.ascii_only, translator.length_limit(piece))


class Translator:
    """Reads a pattern from left to right; ``at`` is the current index."""

    def __init__(self, pattern: str, options: int, names: dict[str, list[int]]) -> None:
        self.pattern = pattern
        self.at = 0
        self.names = names
        self.opened = 0
        self.closed: set[int] = set()
        self.ascii_only = bool(options & IGNORECASE)
        self.exponential = False
        self.in_lookbehind = False
        self.depth = 0
        self.loose = False
        if self.ascii_only and not pattern.isascii():
            raise Elsewhere

    def length_limit(self, piece: Piece) -> int | None:
        """Return the maximum length of text for ``re``."""
        if self.exponential:
            return EXPONENTIAL_LIMIT
        if piece.loops >= 3:
            return CUBIC_LIMIT
        return QUADRATIC_LIMIT if piece.loops == 2 else None

    # -- structure -----------------------------------------------------------------------------

    def alternatives(self, options: int) -> Piece:
        """Read ``a|b|c`` up to the closing parenthesis or the end."""
        self.depth += 1
        if self.depth > 40:
            raise Elsewhere
        branches = [self.sequence(options)]
        while self.pattern.startswith("|", self.at):
            self.at += 1
            branches.append(self.sequence(options))
        self.depth -= 1
        return branches[0] if len(branches) == 1 else join_alternatives(branches)

    def sequence(self, options: int) -> Piece:
        """Read the items up to ``|``, ``)`` or the end."""
        pieces: list[Piece] = []
        pattern, length = self.pattern, len(self.pattern)
        while self.at < length and pattern[self.at] not in "|)":
            if options & EXTENDED and self.skip_blank():
                continue
            if match := INLINE_OPTIONS.match(pattern, self.at):
                self.at = match.end()
                changed = self.changed_options(options, match[1], match[2])
                rest = self.alternatives(changed)  # alternatives too belong to the new options
                pieces.append(self.with_options(rest, options, changed))
                break
            piece = self.item(options)
            if piece is not None:
                pieces.append(self.quantified(piece, options))
        return join_sequence(pieces)

    def skip_blank(self) -> bool:
        """Skip white space or a comment of an extended pattern."""
        character = self.pattern[self.at]
        if character in " \t\n\r\f\v":
            self.at += 1
            return True
        if character == "#":
            end = self.pattern.find("\n", self.at)
            self.at = len(self.pattern) if end < 0 else end + 1
            return True
        return False

    def changed_options(self, options: int, on: str, off: str | None) -> int:
        """Return the options after ``(?on-off)``."""
        for letter in on:
            options |= OPTION_BITS[letter]
        for letter in off or "":
            options &= ~OPTION_BITS[letter]
        if options & IGNORECASE:
            self.ascii_only = True
            if not self.pattern.isascii():
                raise Elsewhere
        return options

    def with_options(self, piece: Piece, outer: int, inner: int) -> Piece:
        """Return a piece with options that differ from those around it."""
        change = (outer ^ inner) & IGNORECASE
        flags = ("i" if inner & IGNORECASE else "-i") if change else ""
        piece.text = f"(?{flags}:{piece.text})"
        if change:
            piece.first = None
            piece.delimited = False
        return piece

    def quantified(self, piece: Piece, options: int) -> Piece:
        """Return a piece with the repetition that follows it, if one does."""
        if options & EXTENDED:
            while self.at < len(self.pattern) and self.skip_blank():
                pass
        match = QUANTIFIER.match(self.pattern, self.at)
        if match is None or match[0] in {"{,}", "{}"}:
            return piece
        low, high, text = bounds(match)
        self.at = match.end()
        following = self.pattern[self.at : self.at + 1]
        braces = text.startswith("{")
        if following == "?" and not (braces and low == high):
            text += "?"
            self.at += 1
        elif following == "+" and not braces:
            text += "+"
            self.at += 1
        elif following and following in "*+?":
            raise Elsewhere
        if QUANTIFIER.match(self.pattern, self.at):
            raise Elsewhere  # a repetition of a repetition
        return self.repeated(piece, low, high, text)

    def repeated(self, piece: Piece, low: int, high: int | None, text: str) -> Piece:
        """Read ``piece{low,high}`` and check that its repetition is safe."""
        if piece.width == 0 and not piece.groups:  # once is as good as often
            return piece if low else anchor("")
        if (high is not None and (high > 1000 or high < low)) or low > 1000:
            raise Elsewhere
        many = high is None or high > 1
        if many and piece.nullable and not self.loose:
            raise Elsewhere  # engines differ in how they leave a loop over nothing
        unbounded = high is None or high > MANY
        if unbounded and not is_safe_loop(piece):
            self.exponential = True
        if high == 0 and piece.groups:
            raise Elsewhere
        width = piece.width * low if piece.width is not None and low == high else None
        inner = 0 if piece.delimited and not piece.ambiguous else piece.loops
        loops = inner + 1 if unbounded and low != high else piece.loops
        if text.endswith("+") and len(text) == 2:
            loops = piece.loops
        return Piece(
            piece.text + text,
            width,
            low == 0 or piece.nullable,
            piece.atoms,
            piece.first if low > 0 else None,
            piece.ambiguous or piece.width is None,
            loops=loops,
            groups=piece.groups,
        )

    # -- items ---------------------------------------------------------------------------------

    def item(self, options: int) -> Piece | None:
        """Read one character, class, anchor or group; None for a comment."""
        character = self.pattern[self.at]
        self.at += 1
        if character == "\\":
            return self.escape(options)
        if character == "[":
            return self.character_class(options)
        if character == "(":
            return self.group(options)
        if character == ".":
            text = "(?s:.)" if options & MULTILINE else "."
            return Piece(text, atoms=[text], first=[text])
        if character == "^":
            return Piece("^", 0, nullable=True, line_start=True)
        if character == "$":
            return anchor("$")
        if character in "*+?" or (character == "{" and QUANTIFIER.match(self.pattern, self.at - 1)):
            raise Elsewhere  # nothing to repeat: Oniguruma reports the error
        return self.literal(character, options)

    def literal(self, character: str, options: int) -> Piece:
        """Return a literal character."""
        text = re.escape(character)
        atom = f"(?i:{text})" if options & IGNORECASE else text
        return Piece(text, atoms=[atom], first=[atom])

    def escape(self, options: int) -> Piece:
        r"""Read an escape sequence outside of a class."""
        if self.at >= len(self.pattern):
            raise Elsewhere
        letter = self.pattern[self.at]
        self.at += 1
        if letter in ESCAPED_ANCHORS:
            self.ascii_only |= letter in "bB"
            return anchor(ESCAPED_ANCHORS[letter])
        if letter in SHARED_CLASSES:
            text = "\\" + letter
            if (
                options & IGNORECASE
            ):  # under re's IGNORECASE a class may match characters that Ruby's does not
                self.ascii_only = True
            return Piece(text, atoms=[text], first=[text])
        if letter in "hH":
            text = f"[{'^' if letter == 'H' else ''}{HEX_CLASS}]"
            return Piece(text, atoms=[text], first=[text])
        if letter in "123456789":
            return self.numbered_reference(letter)
        if letter == "k":
            return self.named_reference()
        self.at -= 1
        return self.literal(self.escaped_character(), options)

    def escaped_character(self) -> str:
        r"""Return the character of ``\x41``, ``\u0041``, ``\101``, ``\n`` or ``\.``."""
        pattern = self.pattern
        match = CHARACTER_ESCAPE.match(pattern, self.at)
        if match is None:
            raise Elsewhere
        self.at = match.end()
        if digits := match["hex"] or match["unicode"] or match["braced"]:
            code = int(digits, 16)
            if (match["hex"] and code > 0x7F) or code > 0x10FFFF or 0xD800 <= code < 0xE000:
                raise Elsewhere
            return chr(code)
        if digits := match["octal"]:
            if int(digits, 8) > 0x7F:
                raise Elsewhere
            return chr(int(digits, 8))
        letter = match["letter"]
        if letter in SIMPLE_CHARACTERS:
            return SIMPLE_CHARACTERS[letter]
        if letter in "cCMxupPgkRXKG" or letter.isdigit():
            raise Elsewhere
        return letter

    def numbered_reference(self, letter: str) -> Piece:
        r"""Read ``\1`` where group 1 is complete."""
        if self.names or int(letter) not in self.closed:
            raise Elsewhere
        if self.pattern[self.at : self.at + 1].isdigit():
            raise Elsewhere
        return Piece(f"(?:\\{letter})", None, nullable=True, atoms=["(?s:.)"], ambiguous=True)

    def named_reference(self) -> Piece:
        r"""Read ``\k<name>`` where the group of that name is complete."""
        end = self.pattern.find(">", self.at)
        if not self.pattern.startswith("<", self.at) or end < 0:
            raise Elsewhere
        numbers = self.names.get(self.pattern[self.at + 1 : end], [])
        if len(numbers) != 1 or numbers[0] not in self.closed:
            raise Elsewhere
        self.at = end + 1
        text = f"(?:\\{numbers[0]})"
        return Piece(text, None, nullable=True, atoms=["(?s:.)"], ambiguous=True)

    # -- groups --------------------------------------------------------------------------------

    def group(self, options: int) -> Piece | None:
        """Read a group, a look-around or an option setting."""
        pattern = self.pattern
        if not pattern.startswith("?", self.at):
            return self.plain_group(options, capture=not self.names)
        if pattern.startswith("?#", self.at):
            self.skip_comment()
            return None
        if match := SCOPED_OPTIONS.match(pattern, self.at - 1):
            self.at = match.end()
            changed = self.changed_options(options, match[1], match[2])
            piece = self.with_options(self.body(changed), options, changed)
            piece.delimited = False if options != changed else piece.delimited
            return piece
        for prefix in ("?=", "?!", "?<=", "?<!", "?>"):
            if pattern.startswith(prefix, self.at):
                self.at += len(prefix)
                return self.look(prefix, options)
        for opening, closing in (("?<", ">"), ("?'", "'")):
            if pattern.startswith(opening, self.at):
                end = pattern.find(closing, self.at + 2)
                name = pattern[self.at + 2 : end] if end > 0 else ""
                if not NAME.match(name):
                    raise Elsewhere
                self.at = end + 1
                return self.plain_group(options, capture=True)
        raise Elsewhere

    def body(self, options: int) -> Piece:
        """Read the content of a group and its closing parenthesis."""
        piece = self.alternatives(options)
        if not self.pattern.startswith(")", self.at):
            raise Elsewhere
        self.at += 1
        return piece

    def plain_group(self, options: int, *, capture: bool) -> Piece:
        """Read ``(…)``, capturing unless the pattern has named groups."""
        if capture:
            self.opened += 1
            number = self.opened
        piece = self.body(options)
        piece.line_start = False
        if capture:
            self.closed.add(number)
            piece.text = f"({piece.text})"
            piece.groups += 1
        else:
            piece.text = f"(?:{piece.text})"
        return piece

    def skip_comment(self) -> None:
        """Read ``(?# … )``."""
        match = COMMENT.match(self.pattern, self.at)
        if match is None:
            raise Elsewhere
        self.at = match.end()

    def look(self, prefix: str, options: int) -> Piece:
        """Read a look-around or an atomic group."""
        behind = prefix.startswith("?<")
        if behind and self.in_lookbehind:
            raise Elsewhere
        self.in_lookbehind |= behind
        start = self.opened
        piece = self.body(options)
        if behind:
            self.in_lookbehind = False
            if piece.loops:
                raise Invalid("the text of a look-behind has no limit")
            if piece.width is None or self.opened > start:
                raise Elsewhere
        text = f"({prefix}{piece.text})"
        if prefix == "?>":
            piece.text = text
            piece.loops = 0
            piece.line_start = False
            return piece
        return Piece(text, 0, nullable=True, groups=piece.groups, loops=piece.loops)

    # -- classes -------------------------------------------------------------------------------

    def character_class(self, options: int) -> Piece:
        """Read ``[…]``."""
        text = "[" + self.class_items(nested=False) + "]"
        atom = f"(?i:{text})" if options & IGNORECASE else text
        return Piece(text, atoms=[atom], first=[atom])

    def class_items(self, *, nested: bool) -> str:
        """Read the items of a class and its closing bracket."""
        pattern = self.pattern
        items: list[str] = []
        if pattern.startswith("^", self.at):
            if nested:
                raise Elsewhere
            items.append("^")
            self.at += 1
        first = len(items)
        while True:
            character = pattern[self.at : self.at + 1]
            if not character or pattern.startswith("&&", self.at):
                raise Elsewhere
            if character == "]":
                if len(items) == first:
                    raise Elsewhere  # empty, or a bracket that Ruby warns of
                self.at += 1
                return "".join(items)
            items.append(self.class_item())

    def class_item(self) -> str:
        """Read a character, range, POSIX bracket or nested class."""
        pattern = self.pattern
        if match := POSIX_BRACKET.match(pattern, self.at):
            return self.posix(match)
        if pattern.startswith("[", self.at):
            self.at += 1
            return self.class_items(nested=True)
        if match := CLASS_ESCAPE.match(pattern, self.at):
            self.at = match.end()
            if self.range_follows():
                raise Elsewhere
            return HEX_CLASS if match[1] == "h" else match[0]
        if pattern.startswith("-", self.at) and not self.is_edge_dash():
            raise Elsewhere
        low = self.class_character()
        if not self.range_follows():
            return re.escape(low)
        self.at += 1
        if pattern.startswith("[", self.at) or CLASS_ESCAPE.match(pattern, self.at):
            raise Elsewhere
        high = self.class_character()
        if high < low:
            raise Invalid("a range in a character class runs backwards")
        if self.range_follows() or pattern.startswith("-", self.at):
            if not pattern.startswith("-]", self.at):
                raise Elsewhere
        return f"{re.escape(low)}-{re.escape(high)}"

    def is_edge_dash(self) -> bool:
        """Return whether the dash here is the first or the last of its class."""
        return self.pattern[self.at - 1] in "[^" or self.pattern.startswith("-]", self.at)

    def range_follows(self) -> bool:
        """Return whether a dash follows that is not the last of its class."""
        return self.pattern.startswith("-", self.at) and not self.pattern.startswith("-]", self.at)

    def class_character(self) -> str:
        """Read one character of a class."""
        character = self.pattern[self.at : self.at + 1]
        self.at += 1
        if character != "\\":
            return character
        if self.pattern.startswith("b", self.at):
            self.at += 1
            return "\b"
        return self.escaped_character()

    def posix(self, match: re.Match[str]) -> str:
        """Read ``[:alpha:]`` and ``[:^alpha:]`` within a class; right on ASCII text."""
        self.at = match.end()
        name = match[2]
        if name not in POSIX or (match[1] and name not in NOT_POSIX):
            raise Elsewhere
        self.ascii_only = True
        return NOT_POSIX[name] if match[1] else POSIX[name]


OPTION_BITS = {"i": IGNORECASE, "x": EXTENDED, "m": MULTILINE}
INLINE_OPTIONS = lazy_pattern(r"\(\?([imx]*)(?:-([imx]*))?\)")
SCOPED_OPTIONS = lazy_pattern(r"\(\?([imx]*)(?:-([imx]*))?:")
COMMENT = lazy_pattern(r"\?#(?:\\.|[^)\\])*\)", re.DOTALL)
POSIX_BRACKET = lazy_pattern(r"\[:(\^?)(\w+):\]")
CLASS_ESCAPE = lazy_pattern(r"\\([wWdDsSh])")
ESCAPED_ANCHORS = {"A": "\\A", "z": "\\Z", "Z": "(?=\\n?\\Z)", "b": "\\b", "B": "(?!\\b)"}
SIMPLE_CHARACTERS = {
    "t": "\t",
    "n": "\n",
    "r": "\r",
    "f": "\f",
    "v": "\v",
    "a": "\a",
    "e": "\x1b",
}
CHARACTER_ESCAPE = lazy_pattern(
    r"x(?P<hex>[0-9a-fA-F]{1,2})|u(?P<unicode>[0-9a-fA-F]{4})|u\{\s*(?P<braced>[0-9a-fA-F]{1,6})\s*\}"
    r"|(?P<octal>0[0-7]{0,2})|(?P<letter>.)",
    re.DOTALL,
)


def bounds(match: re.Match[str]) -> tuple[int, int | None, str]:
    """Read the minimum and maximum of a repetition, and its form in Python."""
    text = match[0]
    if text in "*+?":
        return (1 if text == "+" else 0), (1 if text == "?" else None), text
    low = int(match[1] or 0)
    if not match[2]:
        return low, low, f"{{{low}}}"
    high = int(match[3]) if match[3] else None
    return low, high, f"{{{low},{'' if high is None else high}}}"
