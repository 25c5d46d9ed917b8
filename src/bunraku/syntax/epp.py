"""The text between the tags of an EPP template."""

from __future__ import annotations

import re

from bunraku.base.errors import Issue
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.syntax import issues


class TemplateError(Exception):
    """A tag that is not closed."""

    def __init__(self, issue: Issue, start: int) -> None:
        super().__init__(issue.code)
        self.issue = issue
        self.start = start


LEADING_SPACE = lazy_pattern(r"[ \t]*\r?\n?")
COMMENT_END = lazy_pattern(r"[^%]%>", re.DOTALL)


class Template:
    """The open tag of a template; finds the text up to the next tag."""

    def __init__(self, whole: str) -> None:
        self.whole = whole
        self.opened: int | None = None
        self.renders = False

    def text(self, at: int, trims: bool) -> tuple[str | None, int]:
        """Return the text from an offset up to the next tag, and where its code begins.

        None at the end of the template. ``<%%`` and ``%%>`` are literal text without one ``%``,
        comments are passed over; a dash in a tag takes the blanks before it (``<%-``, ``<%#-``)
        or those after it and the line end (``-%>``, which is ``trims``).
        """
        whole, size = self.whole, len(self.whole)
        self.opened, self.renders = None, False
        if at >= size:
            return None, at
        pieces: list[str] = []
        while at < size:
            tag = whole.find("<%", at)
            piece = whole[at : tag if tag >= 0 else size]
            if trims:
                piece = LEADING_SPACE.sub("", piece, count=1)
                trims = False
            pieces.append(piece.replace("%%>", "%>"))
            if tag < 0:
                return "".join(pieces), size
            at = tag + 2
            mark = whole[at : at + 1]
            if not mark:
                raise TemplateError(issues.EPP_UNBALANCED_EXPRESSION, at)
            if mark == "%":
                pieces.append("<%")
                at += 1
            elif mark == "#":
                at, trims = self.comment(pieces, at)
            else:
                self.opened, self.renders = tag, mark == "="
                text = "".join(pieces)
                if mark == "-":
                    text = text.rstrip(" \t")
                return text, at + (mark in "-=")
        # Puppet drops the text before a comment or a '<%%' that ends the template.
        return None, size

    def comment(self, pieces: list[str], at: int) -> tuple[int, bool]:
        """Skip ``<%# … %>``; return its end and whether it removes the space after it."""
        end = COMMENT_END.search(self.whole, at)
        if not end:
            raise TemplateError(issues.EPP_UNBALANCED_COMMENT, at)
        if self.whole.startswith("-", at + 1):
            pieces[:] = ["".join(pieces).rstrip(" \t")]
        return end.end(), self.whole.startswith("-%>", end.end() - 3)
