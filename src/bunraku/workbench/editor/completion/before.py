"""The tokens before a cursor, and the word that is being written.

Code is broken while people write it. The text before the cursor is not: its tokens say what may follow.
"""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record, replace
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.syntax.lexer import tokenize, tokenize_template
from bunraku.workbench.editor.places import TextRange

WORD = lazy_pattern(r"(?:::)?\w*(?:::\w*)*\Z")
INTERPOLATION = lazy_pattern(r"\$\{(?:(?!\$\{)[^}])*\Z|\$(?:::)?(?:[a-z_]\w*::)*\w*\Z")
QUOTE = lazy_pattern("['\"]")
OPENERS = frozenset({"{", "SELBRACE", "[", "LISTSTART", "(", "WSLPAREN"})
CLOSERS = frozenset({"}", "]", ")"})


@record(frozen=True)
class TokenBefore:
    """A token: its kind, its value, and its place."""

    kind: str
    value: Any
    start: int
    end: int


@record(frozen=True)
class Before:
    """What is before a cursor.

    ``word`` is the word that is being written, ``range`` its place. ``quote`` is the quote that opens the
    string around the cursor, otherwise empty; then ``word`` is the text of the string so far. ``tokens`` are
    those before the word or the string. ``code_end`` is the offset at which the last whole token ends.
    """

    tokens: list[TokenBefore]
    word: str
    range: TextRange
    quote: str = ""
    code_end: int = 0

    def kind(self, back: int = 1) -> str:
        """Return the kind of a token, counted from the end; empty if there are not so many."""
        return self.tokens[-back].kind if back <= len(self.tokens) else ""

    def value(self, back: int = 1) -> Any:
        """Return the value of a token, counted from the end."""
        return self.tokens[-back].value if back <= len(self.tokens) else None


def before_cursor(source: Source, offset: int, dialect: Dialect) -> Before | None:
    """Return what is before an offset; None inside of a comment, and in the text of a template."""
    text = source.text[:offset]
    match = WORD.search(text)
    start = match.start() if match else offset
    start -= text[start - 1 : start] == "$"
    read = tokenize_template if source.is_template else tokenize
    found = read(Source(text[:start], source.path, is_template=source.is_template), dialect.syntax)
    if any(first < start <= end for first, end in found.comment_runs) and is_comment(text):
        return None
    rows = zip(found.kinds, found.values, found.starts, found.ends, strict=True)
    tokens = [TokenBefore(*row) for row in rows if row[0] != "END"]
    if tokens and tokens[-1].kind == "ERROR":
        mistake = tokens.pop().value.issue.code
        opener = opening_quote(text[:start], tokens, found.comment_runs)
        if opener is not None:
            return in_string(text, tokens, opener, dialect)
        if mistake != "EPP_UNBALANCED_TAG":
            return None
    elif source.is_template:
        return None
    return Before(tokens, text[start:], TextRange(start, offset), code_end=end_of_tokens(tokens))


def end_of_tokens(tokens: list[TokenBefore]) -> int:
    """Return the offset at which the last token ends."""
    return tokens[-1].end if tokens else 0


def is_comment(text: str) -> bool:
    """Return whether a text that ends with a comment ends inside of it."""
    line = text.rpartition("\n")[2]
    return "#" in line or not text.endswith("*/")


def opening_quote(
    text: str, tokens: list[TokenBefore], comments: list[tuple[int, int]]
) -> int | None:
    """Return the offset of the quote of the string that does not end; None without one."""
    for match in QUOTE.finditer(text, end_of_tokens(tokens)):
        if not any(first <= match.start() < end for first, end in comments):
            return match.start()
    return None


def in_string(text: str, tokens: list[TokenBefore], opener: int, dialect: Dialect) -> Before | None:
    """Return what is before a cursor in a string that is not closed: in it, or in its interpolation."""
    written = text[opener + 1 :]
    match = INTERPOLATION.search(written) if text[opener] == '"' else None
    if match is not None:
        found = in_interpolation(text, match[0], dialect)
        return None if found is None else replace(found, code_end=end_of_tokens(tokens))
    if "\n" in written:
        return None
    piece = TextRange(opener + 1, len(text))
    return Before(tokens, written, piece, text[opener], end_of_tokens(tokens))


def in_interpolation(text: str, written: str, dialect: Dialect) -> Before | None:
    """Return what is before a cursor in ``${…`` or ``$name``; the range of a first name has no dollar."""
    code = written.removeprefix("${")
    is_bare = code != written and not code.startswith("$")
    code = f"${code}" if is_bare else code
    found = before_cursor(Source(code), len(code), dialect)
    if found is None:
        return None
    shift = len(text) - len(code)
    start = found.range.start + (is_bare and found.range.start == 0)
    return replace(found, range=TextRange(start + shift, len(text)))


def open_brackets(tokens: list[TokenBefore]) -> Iterator[int]:
    """Yield the places in the list of the brackets that are open at its end, the innermost first."""
    depth = 0
    for place in range(len(tokens) - 1, -1, -1):
        kind = tokens[place].kind
        if kind in CLOSERS:
            depth += 1
        elif kind in OPENERS:
            if depth == 0:
                yield place
            else:
                depth -= 1
