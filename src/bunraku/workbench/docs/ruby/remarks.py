"""The comments of Ruby statements, by YARD's rules: right above, with an empty line between, or behind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.workbench.docs.texts import without_sign

Node = Any
SHEBANG = lazy_pattern(r"\s*#!\S+", re.ASCII)
ENCODING = lazy_pattern(
    r"\s*(?:#+|/\*+|//+).*coding\s*[:=]{1,2}\s*([a-z\d_\-]+)", re.ASCII | re.IGNORECASE
)
FROZEN = lazy_pattern(r"frozen[-_]string[-_]literal:\s+(true|false)", re.ASCII | re.IGNORECASE)
COMMENT_MARK = re.compile(rb"^=begin|#", re.MULTILINE)
"""Where a comment may begin, and interpolated code."""
LISTS = frozenset(
    [
        *("program", "body_statement", "block_body", "then", "else", "do", "begin", "ensure"),
        *("argument_list", "array"),
    ]
)
"""Nodes whose children can have a comment."""


class Remark:
    """A comment: lines that follow each other in one column."""

    def __init__(self, line: int, column: int, text: str) -> None:
        self.start = line
        self.end = line
        self.column = column
        self.text = text


class RubyRemarks:
    """The comments of a file, and the statement that each belongs to.

    Statements are visited from the outside in. Each takes a comment that ends on one of the two lines
    above it, or that is on its line. Comments before it then belong to nothing.
    """

    def __init__(self, root: Node, content: bytes) -> None:
        self.content = content
        self.waiting: dict[int, Remark] = {}
        self.found: dict[int, Remark] = {}
        self.collect(root)
        if self.waiting:
            self.attach(root)

    def of(self, node: Node) -> tuple[str | None, int]:
        """Return the comment of a statement and its first line; None without one."""
        remark = self.found.get(node.start_byte)
        return (None, 0) if remark is None else (remark.text, remark.start)

    def collect(self, root: Node) -> None:
        """Find the comments; those at the top that Ruby itself reads do not count."""
        first = min(
            (one.start_byte for one in root.named_children if one.type != "comment"), default=0
        )
        is_top = True
        last: Remark | None = None
        for node in comments_in(root, self.content):
            text = node.text.decode("utf-8", "surrogateescape")
            if is_top and node.start_byte < first and self.is_magic(text):
                continue
            is_top = False
            last = self.add(node, text, last)

    def is_magic(self, text: str) -> bool:
        """Return whether a comment is for Ruby or the shell."""
        lower = text.lower()
        return bool(
            ("#!" in text and SHEBANG.match(text))
            or ("coding" in lower and ENCODING.match(text))
            or ("frozen" in lower and FROZEN.search(text))
        )

    def add(self, node: Node, text: str, last: Remark | None) -> Remark | None:
        """Add a comment; one that continues the last one, in the same column, becomes a part of it."""
        line, column = node.start_point[0] + 1, node.start_point[1]
        if text.startswith("=begin"):
            inner = text.split("\n")[1:-1]
            remark = Remark(node.end_point[0] + 1, column, "".join(f"{one}\n" for one in inner))
            remark.start = line
            self.waiting[remark.end] = remark
            return None
        text = without_sign(text)
        starts_line = not self.content[node.start_byte - column : node.start_byte].strip(b" \t")
        if column == 0 and self.follows_statement(node):
            starts_line = False
        above = self.waiting.get(line - 1)
        if above is not None and above is last and above.column == column and starts_line:
            del self.waiting[line - 1]
            above.text += f"\n{text}"
            above.end = line
            self.waiting[line] = above
            return above
        remark = Remark(line, column, text)
        self.waiting[line] = remark
        return remark

    def follows_statement(self, node: Node) -> bool:
        """Return whether only comments are between a comment and a statement, without an empty line.

        Ruby's parser then reads the comments before the end of that line, YARD miscounts by one
        character, and each line of a comment in the first column becomes a comment of its own.
        """
        before = node.prev_sibling
        row: int = node.start_point[0]
        while before is not None and before.type == "comment" and before.end_point[0] == row - 1:
            row = before.start_point[0]
            before = before.prev_sibling
        return before is not None and before.is_named and before.end_point[0] == row - 1

    def attach(self, root: Node) -> None:
        """Give statements their comments."""
        waiting = [(root, "")]
        while waiting and self.waiting:
            node, parent = waiting.pop()
            if parent in LISTS and node.type not in {"comment", "heredoc_body"}:
                self.attach_to(node)
            if not self.waiting or node.end_point[0] + 1 < min(self.waiting):
                continue  # all comments that wait are below it
            waiting += [(child, node.type) for child in reversed(node.named_children)]

    def attach_to(self, node: Node) -> None:
        """Give one statement its comment."""
        if node.type in {"if_modifier", "unless_modifier"}:
            node = node.child_by_field_name("body")
        line = node.start_point[0] + 1
        for number in (line - 1, line - 2, line):
            remark = self.waiting.get(number)
            if remark is not None and remark.text:
                self.found.setdefault(node.start_byte, remark)
                del self.waiting[number]
                break
        for number in [one for one in self.waiting if one < line]:
            del self.waiting[number]


def comments_in(root: Node, content: bytes) -> Iterator[Node]:
    """Yield the comments in a tree in the order of the text: the nodes where a sign of comments stands."""
    end = 0
    for sign in COMMENT_MARK.finditer(content):
        at = sign.end() - 1
        if at < end:
            continue
        node = root.named_descendant_for_byte_range(at, at + 1)
        if node is not None and node.type == "comment":
            end = node.end_byte
            yield node
