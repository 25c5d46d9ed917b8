"""The check of indents: each open bracket, each title of a resource and each ``=`` adds two spaces."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.text_edits import Edit
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import COMMENT, OPENING, Manifest
from bunraku.workbench.lint.spaced import (
    BLANKS,
    HEREDOC_TEXT,
    INDENT,
    LINE_END,
    SPACES,
    Spaced,
    spaced,
)

WIDTH = 2
CLOSING = frozenset(OPENING.values())


@check(
    "Lines are indented by two spaces for each level of brackets, resources and continued lines.",
    fixes="layout",
    plugin="puppet-lint-strict_indent-check",
)
def strict_indent(manifest: Manifest) -> Iterator[Problem]:
    """Report lines with another indent than the brackets before them require."""
    found = spaced(manifest)
    indents = Indents(manifest, found)
    first = 0
    for at in list(found.of_kind(LINE_END)):
        if at + 1 == len(found.kinds):
            return
        expected = indents.after(first, at)
        first = at + 1
        if expected is None:
            message = "cannot compute the indent: a bracket is closed that was not opened"
            yield Problem(found.starts[first], found.ends[first], message)
            return
        actual = width_of(found, first)
        if actual != expected and found.kinds[first] not in {COMMENT, LINE_END}:
            message = f"indent should be {expected} chars and is {actual}"
            edits = corrected(found, first, expected, actual)
            yield Problem(found.starts[first], found.ends[first], message, edits)


def width_of(found: Spaced, at: int) -> int:
    """Return the indent of the line that begins with a piece; that of a heredoc's end for its text."""
    text = found.text[found.starts[at] : found.heredocs.get(at, found.ends[at])]
    if found.kinds[at] is HEREDOC_TEXT:
        last = text.split("\n")[-1]
        return len(last) - len(last.lstrip(" \t"))
    return len(text) if found.kinds[at] is INDENT else 0


def corrected(found: Spaced, at: int, expected: int, actual: int) -> tuple[Edit, ...]:
    """Return the edits that give a line its indent; all lines of a heredoc move as far as its end."""
    start = found.starts[at]
    if found.kinds[at] is not HEREDOC_TEXT:
        end = found.ends[at] if found.kinds[at] is INDENT else start
        return (Edit(start, end, " " * expected),)
    edits: list[Edit] = []
    for line in found.text[start : found.heredocs[at]].split("\n"):
        if expected > actual and line:
            edits.append(Edit(start, start, " " * (expected - actual)))
        elif line:
            surplus = actual - expected
            if line[:surplus].strip(" \t"):
                return ()
            edits.append(Edit(start, start + surplus, ""))
        start += len(line) + 1
    return tuple(edits)


class Indents:
    """The level of indent, from line to line.

    ``partner`` pairs brackets of a kind whatever brackets of other kinds are between them.
    ``colon`` is the line of the title of a resource whose attributes are indented.
    """

    def __init__(self, manifest: Manifest, found: Spaced) -> None:
        self.found = found
        self.level = 0
        self.colon: int | None = None
        self.partner: dict[int, int] = {}
        line_of = manifest.source.line
        self.lines = {
            at: line_of(found.starts[at])
            for at, kind in enumerate(found.kinds)
            if kind in OPENING or kind in CLOSING or kind == ":"
        }
        self.pair()

    def pair(self) -> None:
        """Pair the brackets."""
        open_: dict[str, list[int]] = {closing: [] for closing in CLOSING}
        for at in self.lines:
            kind = self.found.kinds[at]
            if kind in OPENING:
                open_[OPENING[kind]].append(at)
            elif kind in CLOSING and open_[kind]:
                other = open_[kind].pop()
                self.partner[at], self.partner[other] = other, at

    def after(self, first: int, end: int) -> int | None:
        """Return the indent of the line after a line end; None if more is closed than was opened.

        ``first`` is the first piece of the line that ends.
        """
        kinds = self.found.kinds
        opened = self.opened(first, end)
        self.level += opened
        once = kinds[first:end].count("HEREDOC")
        last = self.last_of(first, end)
        kind = kinds[last] if last >= first else ""
        if kind == ":" and not opened and self.colon is None:
            self.colon = self.lines[last]
            self.level += 1
        elif kind == ";" and self.colon is not None:
            self.colon = None
            self.level -= 1
        elif kind in {"=", "=>"}:
            once += 1
        once -= self.close(end + 1)
        return None if self.level < 0 else (self.level + once) * WIDTH

    def opened(self, first: int, end: int) -> int:
        """Return the number of levels that a line opens: brackets closed on one line count once."""
        found, closed_on = 0, set()
        for at in range(first, end):
            if self.found.kinds[at] in OPENING:
                other = self.partner.get(at)
                if other is None:
                    found += 1
                elif self.lines[other] > self.lines[at]:
                    closed_on.add(self.lines[other])
        return found + len(closed_on)

    def last_of(self, first: int, end: int) -> int:
        """Return the last piece of a line that is neither blank nor a comment."""
        at = end - 1
        while at >= first and self.found.kinds[at] in {BLANKS, COMMENT}:
            at -= 1
        return at

    def close(self, first: int) -> int:
        """Lower the level by what a line closes; return 1 if the line is a semicolon alone."""
        found, opened_on, alone = self.found, set[int](), 0
        at = first
        while at < len(found.kinds) and found.kinds[at] is not LINE_END:
            kind, other = found.kinds[at], self.partner.get(at)
            if kind in CLOSING and other is not None:
                line = self.lines[other]
                if line < self.lines[at] and line not in opened_on:
                    self.level -= 1
                    opened_on.add(line)
                if kind == "}" and self.colon is not None and line < self.colon:
                    self.level -= 1
                    self.colon = None
            elif kind == ";" and self.colon is not None and self.is_alone(at):
                alone += 1
            at += 1
        return alone

    def is_alone(self, at: int) -> bool:
        """Return whether a token is the only one of its line."""
        kinds = self.found.kinds
        return kinds[at - 1] in SPACES - {BLANKS} and kinds[at + 1 : at + 2] in ([], [LINE_END])
