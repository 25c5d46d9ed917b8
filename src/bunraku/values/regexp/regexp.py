"""Regular expressions with Ruby's meaning.

A pattern whose meaning Python's ``re`` shares is translated (:mod:`regexp_translate`); every other
goes to Oniguruma, the engine that Ruby's own descends from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bunraku.base.bounded_cache import remembered
from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any, Protocol
from bunraku.values import issues
from bunraku.values.regexp.oniguruma import for_oniguruma
from bunraku.values.regexp.translate import (
    EXTENDED,
    IGNORECASE,
    MULTILINE,
    Elsewhere,
    Invalid,
    Translation,
    group_names,
    translate,
)

__all__ = [
    "EXTENDED",
    "IGNORECASE",
    "MULTILINE",
    "Match",
    "Regexp",
    "escape",
    "regexp_from_string",
    "scan",
    "split_text",
    "substitute",
]


class Match(Protocol):
    """The result of a search; Python's ``re.Match`` is one."""

    def group(self, number: int = 0, /) -> str | None:
        """Return the text of a group; None if the group did not match."""

    def groups(self) -> tuple[str | None, ...]:
        """Return the texts of all groups from 1."""

    def start(self, number: int = 0, /) -> int:
        """Return the start of a group in characters; -1 if the group did not match."""

    def end(self, number: int = 0, /) -> int:
        """Return the end of a group in characters; -1 if the group did not match."""


class OnigurumaMatch:
    """A match of Oniguruma, as character offsets."""

    __slots__ = ("spans", "text")

    def __init__(self, text: str, spans: list[tuple[int, int]]) -> None:
        self.text = text
        self.spans = spans

    def group(self, number: int = 0, /) -> str | None:
        """Return the text of a group; None if the group did not match."""
        start, end = self.spans[number]
        return None if start < 0 else self.text[start:end]

    def groups(self) -> tuple[str | None, ...]:
        """Return the texts of all groups from 1."""
        return tuple(self.group(number) for number in range(1, len(self.spans)))

    def start(self, number: int = 0, /) -> int:
        """Return the start of a group in characters; -1 if the group did not match."""
        return self.spans[number][0]

    def end(self, number: int = 0, /) -> int:
        """Return the end of a group in characters; -1 if the group did not match."""
        return self.spans[number][1]


Search = Callable[..., Any]  # (text, start=0) -> Match | None; re's own is overloaded

# Bytes that are not UTF-8 live in strings as lone surrogates, which Oniguruma cannot be given;
# it gets them at the end of the last private plane.
HIDE_BYTES = {0xDC80 + byte: 0x10FE80 + byte for byte in range(128)}


def oniguruma_search(pattern: str, options: int) -> Search:
    """Return a search function of Oniguruma for a Ruby pattern."""
    import onigurumacffi

    try:
        compiled = onigurumacffi.compile(for_oniguruma(pattern, options).translate(HIDE_BYTES))
    except Invalid as error:
        raise issues.INVALID_REGEXP(pattern=pattern, reason=error.reason) from None
    except onigurumacffi.OnigError as error:
        raise issues.INVALID_REGEXP(pattern=pattern, reason=str(error)) from None
    except UnicodeEncodeError:
        raise issues.INVALID_REGEXP(pattern=pattern, reason="invalid character") from None
    except UnicodeDecodeError as error:  # Oniguruma cuts a long name in its message at a byte
        reason = error.object.decode("utf-8", "ignore")
        raise issues.INVALID_REGEXP(pattern=pattern, reason=reason) from None

    def search(text: str, start: int = 0) -> Match | None:
        if start > len(text):
            return None
        try:
            found = compiled.search(text.translate(HIDE_BYTES), start)
        except onigurumacffi.OnigError:
            raise issues.RUNAWAY_REGEXP(pattern=pattern, length=len(text)) from None
        if found is None:
            return None
        spans = list(zip(found._begs, found._ends, strict=True))  # noqa: SLF001 (-1 is public only here)
        if text.isascii():
            return OnigurumaMatch(text, spans)
        return OnigurumaMatch(text, character_spans(found._s_b, spans))  # noqa: SLF001

    return search


def character_spans(encoded: bytes, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in bytes of UTF-8 text as spans in characters."""
    offsets = sorted({offset for span in spans for offset in span if offset >= 0})
    characters = {-1: -1}
    count = last = 0
    for offset in offsets:
        count += len(encoded[last:offset].decode())
        characters[offset] = count
        last = offset
    return [(characters[start], characters[end]) for start, end in spans]


@remembered(4096)
def compile_search(pattern: str, options: int) -> Search:
    """Check the pattern; return the fastest function that searches as Ruby does."""
    try:
        translation = translate(pattern, options)
        compiled = re.compile(translation.text, re.ASCII | re.MULTILINE)
    except Invalid as error:
        raise issues.INVALID_REGEXP(pattern=pattern, reason=error.reason) from None
    except (Elsewhere, re.error, OverflowError, RecursionError):
        return other_search(pattern, options)
    if translation.ascii_only or translation.length_limit is not None:
        return guarded_search(pattern, options, compiled, translation)
    return compiled.search


def other_search(pattern: str, options: int) -> Search:
    """Oniguruma; it refuses to repeat assertions as in ``(?:^|,)+``, so those come back."""
    try:
        return oniguruma_search(pattern, options)
    except PuppetError as error:
        if "target of repeat" not in str(error.arguments.get("reason")):
            raise
        try:
            translation = translate(pattern, options, loose=True)
            return re.compile(translation.text, re.ASCII | re.MULTILINE).search
        except (Elsewhere, re.error):
            raise error from None


def guarded_search(
    pattern: str, options: int, compiled: re.Pattern[str], translation: Translation
) -> Search:
    """Return a search that uses ``re`` where it is exact and quick, otherwise Oniguruma."""
    python = compiled.search
    ascii_only = translation.ascii_only
    limit = translation.length_limit
    other: Search | None = None

    def search(text: str, start: int = 0) -> Match | None:
        nonlocal other
        if (limit is None or len(text) <= limit) and (not ascii_only or text.isascii()):
            return python(text, start)  # type: ignore[return-value]  # its group() is wider
        if other is None:
            other = oniguruma_search(pattern, options)
        return other(text, start)  # type: ignore[no-any-return]

    return search


class Regexp:
    """A regular expression, equal to another by its text and options.

    ``search(text, start=0)`` gives a :class:`Match` or None. The pattern is compiled, and so
    checked, at the first search; :func:`regexp_from_string` checks at once.

    >>> Regexp("a(b)?c").search("xac").groups()
    (None,)
    >>> str(Regexp("a/b"))
    '/a\\\\/b/'
    """

    __slots__ = ("options", "pattern", "search")

    search: Search

    def __init__(self, pattern: str, options: int = 0) -> None:
        self.pattern = pattern
        self.options = options
        self.search = self.first_search

    def first_search(self, text: str, start: int = 0) -> Match | None:
        """Compile, then search; later searches go straight to the engine."""
        self.compile()
        found: Match | None = self.search(text, start)
        return found

    def compile(self) -> Regexp:
        """Check the pattern; INVALID_REGEXP when it is none."""
        self.search = compile_search(self.pattern, self.options)
        return self

    def fullmatch(self, text: str) -> Match | None:
        """Return the match of the whole text, or None."""
        end = "\n" if self.options & EXTENDED else ""
        found: Match | None = compile_search(rf"\A(?:{self.pattern}{end})\z", self.options)(text)
        return found

    def matches(self, text: str) -> bool:
        """Return whether the pattern is found anywhere in a text."""
        return self.search(text) is not None

    def group_names(self) -> dict[str, list[int]]:
        """Return the numbers of each named group."""
        return group_names(self.pattern)

    def source_text(self) -> str:
        """Return the pattern with its options, if any, as Ruby's ``Regexp#to_s`` writes them."""
        if not self.options:
            return self.pattern
        letters = (("m", MULTILINE), ("i", IGNORECASE), ("x", EXTENDED))
        on = "".join(letter for letter, bit in letters if self.options & bit)
        off = "".join(letter for letter, bit in letters if not self.options & bit)
        return f"(?{on}{'-' + off if off else ''}:{self.pattern})"

    def __str__(self) -> str:
        return "/" + escape_slashes(self.source_text()) + "/"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Regexp)
            and self.pattern == other.pattern
            and self.options == other.options
        )

    def __hash__(self) -> int:
        return hash((Regexp, self.pattern, self.options))

    def __reduce__(self) -> tuple[type[Regexp], tuple[str, int]]:
        return Regexp, (self.pattern, self.options)


def escape_slashes(pattern: str) -> str:
    r"""Return the form of a pattern between slashes.

    >>> escape_slashes(r"a/b\/c")
    'a\\/b\\/c'
    """
    return re.sub(r"\\.|/", lambda m: m[0] if m[0] != "/" else r"\/", pattern, flags=re.DOTALL)


def regexp_from_string(pattern: str, options: int = 0) -> Regexp:
    """Return a checked regular expression; raise INVALID_REGEXP if the text is invalid."""
    return Regexp(pattern, options).compile()


ESCAPES = {
    **{character: "\\" + character for character in "[]{}()|-*.\\?+^$# "},
    "\t": r"\t",
    "\f": r"\f",
    "\v": r"\v",
    "\n": r"\n",
    "\r": r"\r",
}
ESCAPE_TABLE = str.maketrans(ESCAPES)


def escape(text: str) -> str:
    r"""Return the pattern that matches exactly this text, as Ruby's ``Regexp.escape`` writes it.

    >>> escape("a.b c")
    'a\\.b\\ c'
    """
    return text.translate(ESCAPE_TABLE)


def find_all(regexp: Regexp, text: str) -> Iterator[Match]:
    """Yield all matches from left to right as Ruby's ``gsub`` and ``scan`` walk them."""
    at, length = 0, len(text)
    search = regexp.search
    while at <= length:
        match = search(text, at)
        if match is None:
            return
        yield match
        end = match.end()
        at = end + 1 if end == match.start() else end


REFERENCE = lazy_pattern(r"\\(?:([0-9&`'\\])|k<([^>]*)>)")


def substitute(regexp: Regexp, text: str, replacement: str, global_: bool = False) -> str:
    r"""Replace the first match or all of them, as Ruby's ``sub`` and ``gsub``.

    >>> substitute(Regexp("(a)(b)?"), "abab", r"<\2\1>", True)
    '<ba><ba>'
    """
    pieces: list[str] = []
    at = 0
    plain = "\\" not in replacement
    for match in find_all(regexp, text):
        pieces += (text[at : match.start()], replacement if plain else "")
        if not plain:
            pieces.append(expand(regexp, text, match, replacement))
        at = match.end()
        if not global_:
            break
    if not pieces:
        return text
    pieces.append(text[at:])
    return "".join(pieces)


def expand(regexp: Regexp, text: str, match: Match, replacement: str) -> str:
    """Return a replacement with its back-references filled in."""

    def reference(found: re.Match[str]) -> str:
        letter, name = found[1], found[2]
        if name is not None:
            return named_text(regexp, match, name)
        if letter.isdigit():
            number = int(letter)
            return (match.group(number) or "") if number <= len(match.groups()) else ""
        if letter == "&":
            return match.group() or ""
        if letter == "`":
            return text[: match.start()]
        if letter == "'":
            return text[match.end() :]
        return "\\"

    return REFERENCE.sub(reference, replacement)


def named_text(regexp: Regexp, match: Match, name: str) -> str:
    """Return the text of a named or numbered group: the last of that name that matched."""
    if name.isdigit():
        numbers = [int(name)]
    else:
        numbers = regexp.group_names().get(name, [])
        if not numbers:
            raise issues.UNKNOWN_GROUP(pattern=regexp.pattern, name=name)
    for number in reversed(numbers):
        if number <= len(match.groups()) and match.group(number) is not None:
            return match.group(number) or ""
    return ""


def split_text(regexp: Regexp, text: str, limit: int = 0) -> list[str]:
    """Split text as Ruby's ``split``: captures are kept, empty ends dropped.

    >>> split_text(Regexp("(,) *"), "a, b,")
    ['a', ',', 'b', ',']
    >>> split_text(Regexp(""), "abc")
    ['a', 'b', 'c']
    """
    if not text or limit == 1:
        return [text] if text else []
    parts: list[str] = []
    begin = at = 0
    separators = 0
    skipped = False  # an empty match where a part begins first moves one character on
    length = len(text)
    while at <= length and (match := regexp.search(text, at)) is not None:
        start, end = match.start(), match.end()
        if start == end == at:
            if not skipped:
                at += 1
                skipped = True
                continue
            parts.append(text[begin : begin + 1])
            begin = at
        else:
            parts.append(text[begin:start])
            begin = at = end
        skipped = False
        parts += [group for group in match.groups() if group is not None]
        separators += 1
        if separators == limit - 1:
            break
    if limit != 0 or begin < len(text):
        parts.append(text[begin:])
    while limit == 0 and parts and not parts[-1]:
        parts.pop()
    return parts


def scan(regexp: Regexp, text: str) -> list[str] | list[list[str | None]]:
    """Return all matches, or the groups of each match if there are any, as Ruby's ``scan``.

    >>> scan(Regexp("[a-z](.)?"), "ab c")
    [['b'], [None]]
    """
    found = list(find_all(regexp, text))
    if found and found[0].groups():
        return [list(match.groups()) for match in found]
    return [match.group() or "" for match in found]
