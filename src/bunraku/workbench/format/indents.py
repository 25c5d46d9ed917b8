"""The indents of lines."""

from __future__ import annotations

from bunraku.workbench.format.pieces import (
    ATTRIBUTES,
    BLOCK,
    CASES,
    CHAINS,
    CLOSERS,
    COMMENT,
    DEFINITION,
    GROUP,
    LAMBDA,
    OPENERS,
    PIPES,
    RESOURCE,
    SEPARATORS,
    TOP,
    CodeLine,
    Piece,
)

HEADS = frozenset(
    [
        "if",
        "elsif",
        "else",
        "unless",
        "case",
        "class",
        "define",
        "node",
        "function",
        "plan",
        "apply",
    ]
)
BEHIND_HEAD = frozenset({ATTRIBUTES, BLOCK, CASES, DEFINITION, RESOURCE})
"""The roles of braces with the indent of their head, if a comment keeps them from its line."""
WITH_HEAD = frozenset({BLOCK, CASES, DEFINITION})
OF_STATEMENTS = frozenset({TOP, BLOCK, DEFINITION, LAMBDA})
BRANCHES = frozenset({"else", "elsif"})


class IndentLevel:
    """An open bracket: the indents of its closing bracket and of its content.

    ``element`` is the indent of the line on which the current statement or element begins, ``head``
    that of the line with the keyword of the current statement. ``is_inline`` is whether the element
    begins on the line of the bracket. ``is_fresh`` is whether an element begins next,
    ``is_new`` whether no line of the content was read.
    """

    __slots__ = (
        "closing",
        "content",
        "element",
        "head",
        "is_fresh",
        "is_inline",
        "is_new",
        "line",
        "next",
        "role",
    )

    def __init__(self, role: str, closing: int, content: int, line: CodeLine | None) -> None:
        self.role = role
        self.closing = closing
        self.content = content
        self.next = content
        self.element = content
        self.head = closing
        self.line = line
        self.is_inline = False
        self.is_new = line is not None
        self.is_fresh = role not in OF_STATEMENTS


class Indenter:
    """The open brackets, from line to line."""

    def __init__(self, step: int) -> None:
        self.step = step
        self.levels = [IndentLevel(TOP, 0, 0, None)]
        self.comments: list[CodeLine] = []

    def indent(self, lines: list[CodeLine]) -> None:
        """Set the indent of each line."""
        for line in lines:
            first = first_code(line)
            if first is None:
                self.comments.append(line)
                continue
            if self.levels[-1].is_new:
                self.widen(line)
            line.indent = line.written if is_fixed(line) else self.indent_of(first)
            is_closing = first.kind in CLOSERS
            self.place_comments(self.levels[-1].next if is_closing else line.indent)
            for piece in line.pieces:
                if piece.kind is not COMMENT:
                    self.read(piece, line)
        self.place_comments(self.levels[-1].content)

    def widen(self, line: CodeLine) -> None:
        """Double the indent of content whose first line has it, in a bracket that is not alone.

        Two brackets that open on one line count as one or two levels, as their author likes.
        """
        level, around = self.levels[-1], self.levels[-2]
        level.is_new = False
        if level.line is None or around.line is not level.line or not level.line.pieces:
            return
        if line.written - level.line.written == 2 * self.step:
            level.content += self.step
            level.next = level.element = level.content

    def place_comments(self, indent: int) -> None:
        """Set the indent of the lines of comments before a line."""
        for line in self.comments:
            line.indent = line.written if is_fixed(line) else indent
        self.comments = []

    def indent_of(self, first: Piece) -> int:
        """Return the indent of a line that begins with a piece."""
        level = self.levels[-1]
        if first.kind in CLOSERS or is_closing_bar(first):
            return level.closing
        if level.is_fresh:
            return level.next
        if first.begins and level.role in OF_STATEMENTS:
            return level.content
        if first.kind in CHAINS or first.kind in BRANCHES or first.role in BEHIND_HEAD:
            return level.content if level.is_inline else level.element
        if level.is_inline or level.role is GROUP:
            return level.content
        return level.element + self.step

    def read(self, piece: Piece, line: CodeLine) -> None:
        """Follow the brackets and the elements to behind a piece."""
        level = self.levels[-1]
        kind = piece.kind
        if kind in CLOSERS or is_closing_bar(piece):
            self.levels.pop()
            self.levels[-1].is_fresh = self.levels[-1].role is CASES and piece.role is BLOCK
            return
        if kind in SEPARATORS:
            level.is_fresh = level.role not in OF_STATEMENTS
            if kind == ";":
                level.next = level.content
            return
        if level.is_fresh or piece.begins:
            level.is_fresh = False
            level.element = line.indent
            level.is_inline = line is level.line
        if kind in HEADS:
            level.head = line.indent
        elif kind in OPENERS or kind == "|":
            self.open(piece, line)
        elif kind == ":" and level.role is RESOURCE:
            level.is_fresh = True
            titles = level.content if level.is_inline else level.element + self.step
            level.next = titles

    def open(self, piece: Piece, line: CodeLine) -> None:
        """Begin the level of an opening bracket."""
        level = self.levels[-1]
        closing = line.indent
        if piece.role in WITH_HEAD:
            closing = level.element if level.role is CASES else level.head
        self.levels.append(IndentLevel(piece.role, closing, closing + self.step, line))


def first_code(line: CodeLine) -> Piece | None:
    """Return the first piece of a line, comments aside."""
    for piece in line.pieces:
        if piece.kind is not COMMENT:
            return piece
    return None


def is_fixed(line: CodeLine) -> bool:
    """Return whether a line has the indent that it had: it is kept, or a comment of several lines."""
    first = line.pieces[0]
    return line.kept or (first.kind is COMMENT and "\n" in first.text)


def is_closing_bar(piece: Piece) -> bool:
    """Return whether a piece ends the parameters of a lambda."""
    return piece.role is PIPES and piece is piece.bracket.closer


def set_indents(lines: list[CodeLine], step: int) -> None:
    """Set the indent of each line."""
    Indenter(step).indent(lines)
