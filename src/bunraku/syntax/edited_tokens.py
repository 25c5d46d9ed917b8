"""The tokens of a manifest after an edit: only the piece around the edit is lexed again.

The piece begins behind a token that no edit of later text can change, and ends at a line end between two tokens. A text
with tokens that depend on what follows far behind them is lexed as a whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from bunraku.base.records import record, replace
from bunraku.base.source import Source
from bunraku.syntax.lexer import Lexer
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Tokens

FAR_REACHING = frozenset({"ERROR", "HEREDOC", "/"})
"""Kinds of tokens that text far behind them can change: a slash begins a regular expression if another one follows."""
AFTER_A_TOKEN = frozenset({"{", "SELBRACE", "REGEX"})
"""Kinds that depend on the token before."""
BLANK = frozenset(" \t\r\n")


@record(frozen=True)
class TextChange:
    """An edit: the text from ``start`` to ``old_end`` has become that from ``start`` to ``new_end``."""

    start: int
    old_end: int
    new_end: int


@record(frozen=True)
class LexedText:
    """A manifest and its tokens, without the warnings of a parser."""

    text: str
    tokens: Tokens


@record(frozen=True)
class TokenEdit:
    """Tokens after an edit: the first ``kept`` are those from before, the ones from ``later`` on of these have moved."""

    tokens: Tokens
    kept: int
    later: int
    shift: int


def change_between(old: str, new: str) -> TextChange:
    """Return the smallest edit that makes one text of another.

    >>> change_between("$a = 1", "$ab = 1")
    TextChange(start=2, old_end=2, new_end=3)
    """
    most = min(len(old), len(new))
    sizes = range(1, most + 1)
    start = bisect_left(sizes, True, key=lambda size: old[:size] != new[:size])
    sizes = range(1, most - start + 1)
    last = bisect_left(sizes, True, key=lambda size: old[-size:] != new[-size:])
    return TextChange(start, len(old) - last, len(new) - last)


def tokens_after_edit(before: LexedText, source: Source, dialect: SyntaxRules) -> TokenEdit | None:
    """Return the tokens of a text that was another one before; None if all of it must be lexed."""
    old, text = before.tokens, source.text
    is_local = dialect.words.nested_interpolations and not source.is_template
    if not is_local or not FAR_REACHING.isdisjoint(old.kinds) or text.startswith("\ufeff"):
        return None
    change = change_between(before.text, text)
    kept = kept_before(before, change.start)
    at = old.ends[kept - 1] if kept else 0
    later, old_stop = kept_behind(before, change.old_end)
    shift = change.new_end - change.old_end
    found = lexed_piece(old, text[: old_stop + shift], kept, at, dialect)
    if not FAR_REACHING.isdisjoint(found.kinds[kept:]):
        return None
    if later < len(old):
        found.drop_from(len(found) - 1)
        if old.kinds[later] in AFTER_A_TOKEN and found.kinds[-1:] != old.kinds[later - 1 : later]:
            return None
        add_shifted(found, old, later, old_stop, shift)
    return narrowed(TokenEdit(found, kept, later, shift), old)


def narrowed(edit: TokenEdit, old: Tokens) -> TokenEdit:
    """Return an edit that keeps and moves all tokens which are the same as before."""
    kept, later, new = edit.kept, edit.later, edit.tokens
    added = len(new) - len(old)
    least = max(kept, kept - added)
    while least < later and is_moved_token(old, later - 1, new, later - 1 + added, edit.shift):
        later -= 1
    most = min(later, later + added)
    while kept < most and is_moved_token(old, kept, new, kept, 0):
        kept += 1
    return TokenEdit(new, kept, later, edit.shift)


def is_moved_token(old: Tokens, at: int, new: Tokens, now_at: int, shift: int) -> bool:
    """Return whether a token is another one that has moved by some characters."""
    return (
        old.kinds[at] == new.kinds[now_at]
        and old.values[at] == new.values[now_at]
        and old.starts[at] + shift == new.starts[now_at]
        and old.ends[at] + shift == new.ends[now_at]
    )


def kept_before(before: LexedText, start: int) -> int:
    """Return the number of first tokens that an edit from an offset on does not change.

    The last one is followed by a blank that the edit leaves alone, and every string before it is closed.
    """
    old, text = before.tokens, before.text
    kept = bisect_left(old.ends, start)
    opened = open_strings(old.kinds[:kept])
    while kept and (opened or text[old.ends[kept - 1]] not in BLANK):
        kept -= 1
        opened -= OPENS.get(old.kinds[kept], 0)
    return kept


OPENS = {"DQPRE": 1, "DQPOST": -1}
"""By how much tokens change the number of open strings."""


def open_strings(kinds: list[str]) -> int:
    """Return how many strings with interpolations are open behind some tokens."""
    return kinds.count("DQPRE") - kinds.count("DQPOST")


def kept_behind(before: LexedText, end: int) -> tuple[int, int]:
    """Return the first of the last tokens that an edit up to an offset moves only, and the line end before it.

    Without such a token, return the number of tokens and the length of the text.
    """
    old, text = before.tokens, before.text
    later = bisect_left(old.ends, end) + 1
    opened = open_strings(old.kinds[:later])
    while later < len(old) - 1:
        gap = text[old.ends[later - 1] : old.starts[later]]
        if not opened and "\n" in gap and not gap.strip(" \t\r\n"):
            return later, old.ends[later - 1] + gap.index("\n")
        opened += OPENS.get(old.kinds[later], 0)
        later += 1
    return len(old), len(text)


def lexed_piece(old: Tokens, text: str, kept: int, at: int, dialect: SyntaxRules) -> Tokens:
    """Return the first tokens as they were, and those of the text from an offset on."""
    lexer = Lexer(text, dialect)
    found = lexer.tokens
    found.kinds += old.kinds[:kept]
    found.values += old.values[:kept]
    found.starts += old.starts[:kept]
    found.ends += old.ends[:kept]
    found.comment_runs += old.comment_runs[: bisect_left(old.comment_runs, (at, at))]
    found.warnings += [one for one in old.warnings if one.start < at]
    lexer.scan(at)
    return found


def add_shifted(found: Tokens, old: Tokens, later: int, stop: int, shift: int) -> None:
    """Add the tokens from an index on, and the comments and warnings behind an offset, all of which have moved."""
    found.kinds += old.kinds[later:]
    found.values += old.values[later:]
    found.starts += [one + shift for one in old.starts[later:]]
    found.ends += [one + shift for one in old.ends[later:]]
    runs = old.comment_runs[bisect_right(old.comment_runs, (stop, stop)) :]
    found.comment_runs += [(start + shift, end + shift) for start, end in runs]
    found.warnings += [
        replace(one, start=one.start + shift, end=one.end + shift)
        for one in old.warnings
        if one.start >= stop
    ]
