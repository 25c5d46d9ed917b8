"""A manifest as lines of pieces: tokens and comments, each with the blanks before it."""

from __future__ import annotations

from bunraku.base.records import record

COMMENT = "COMMENT"
OPENERS = frozenset({"{", "SELBRACE", "(", "WSLPAREN", "[", "LISTSTART", "<|", "<<|"})
CLOSERS = frozenset({"}", ")", "]", "|>", "|>>"})
CHAINS = frozenset({"->", "~>", "<-", "<~"})
ARROWS = frozenset({"=>", "+>"})
SEPARATORS = frozenset({",", ";"})

TOP = "top"
BLOCK = "block"
DEFINITION = "definition"
"""The braces of a class, a defined type, a function, a plan or a node."""
LAMBDA = "lambda"
"""The braces of a lambda."""
PIPES = "pipes"
"""The bars around the parameters of a lambda."""
CASES = "cases"
RESOURCE = "resource"
ATTRIBUTES = "attributes"
"""The braces of resource defaults, overrides and collectors."""
HASH = "hash"
SELECTOR = "selector"
LIST = "list"
TYPE = "type"
"""The brackets behind a type or a reference."""
INDEX = "index"
PARAMETERS = "parameters"
SIGNATURE = "signature"
"""The parentheses around the parameters of a function."""
CALL = "call"
GROUP = "group"
QUERY = "query"
UNARY = "unary"
"""A sign before its operand."""
LISTS_OF_PARAMETERS = frozenset({PARAMETERS, SIGNATURE})


class Bracket:
    """A pair of brackets: its role, the role of those around, and what is known of its content.

    ``titles`` counts the titles of a resource, and a semicolon as a further one; ``is_broken`` is whether a line begins at one of the
    parameters, or at the closing bracket, ``is_tight`` whether no blanks are within braces on one line.
    """

    __slots__ = ("around", "closer", "is_broken", "is_tight", "opener", "role", "titles")

    def __init__(self, role: str, opener: Piece | None, around: Bracket | None) -> None:
        self.role = role
        self.opener = opener
        self.around = around
        self.closer: Piece | None = None
        self.titles = 0
        self.is_broken = False
        self.is_tight = False


class Piece:
    """A token or a comment. A string with interpolations is one piece.

    ``gap`` is the number of blanks before it on its line. ``bracket`` is the pair that a bracket
    belongs to; for other pieces, the one around. ``begins`` is whether a statement begins here.
    """

    __slots__ = ("begins", "bracket", "gap", "kind", "role", "start", "text")

    def __init__(self, kind: str, text: str, gap: int, start: int, bracket: Bracket) -> None:
        self.kind = kind
        self.text = text
        self.gap = gap
        self.start = start
        self.bracket = bracket
        self.role = ""
        self.begins = False


class CodeLine:
    """Pieces on a line; pieces of several lines, such as strings, are not divided.

    ``blanks`` is the number of empty lines before; ``raw`` the texts of heredocs behind it.
    ``written`` is the indent in the source, ``indent`` the one to write. The line is the source
    from ``start`` to ``end``; a ``kept`` line stays as it is.
    """

    __slots__ = ("blanks", "end", "indent", "kept", "number", "pieces", "raw", "start", "written")

    def __init__(self, pieces: list[Piece], blanks: int, written: int, start: int) -> None:
        self.pieces = pieces
        self.blanks = blanks
        self.written = written
        self.indent = written
        self.start = start
        self.end = start
        self.raw = ""
        self.kept = False
        self.number = 0

    @property
    def has_comment(self) -> bool:
        """Whether the line ends with a comment."""
        return self.pieces[-1].kind is COMMENT

    def column(self, index: int) -> int:
        """Return the column, from 0, at which a piece begins."""
        column = self.indent
        for piece in self.pieces[:index]:
            column = piece_end(column, piece)
        return column + self.pieces[index].gap

    def end_column(self, index: int) -> int:
        """Return the column behind a piece."""
        return piece_end(self.column(index) - self.pieces[index].gap, self.pieces[index])


def piece_end(column: int, piece: Piece) -> int:
    """Return the column behind a piece whose blanks begin at a column."""
    text = piece.text
    if "\n" in text:
        return len(text) - text.rfind("\n") - 1
    return column + piece.gap + len(text)


@record()
class Style:
    """The indent of a level: its number of columns, and whether it is a tab."""

    step: int = 2
    tabs: bool = False
    final_newline: bool = True
