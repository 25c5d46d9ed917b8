"""From a manifest to its lines of pieces."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.syntax.nodes import Program
from bunraku.syntax.tokens import Tokens, comments_in
from bunraku.workbench.format.marks import Marks, marks_of
from bunraku.workbench.format.pieces import (
    BLOCK,
    CALL,
    CLOSERS,
    COMMENT,
    DEFINITION,
    GROUP,
    HASH,
    INDEX,
    LAMBDA,
    LIST,
    LISTS_OF_PARAMETERS,
    OPENERS,
    PARAMETERS,
    PIPES,
    QUERY,
    SELECTOR,
    SIGNATURE,
    TOP,
    TYPE,
    UNARY,
    Bracket,
    CodeLine,
    Piece,
)

DEFINITIONS = frozenset({"class", "define", "plan"})
WITH_REST = LISTS_OF_PARAMETERS | {PIPES}
"""The roles of brackets in which a star is part of a parameter."""
HEADERS = frozenset({"class", "define", "function", "node", "plan"})
ROUND = frozenset({"(", "WSLPAREN"})
SQUARE = frozenset({"[", "LISTSTART"})
QUERIES = frozenset({"<|", "<<|"})
OPERANDS = frozenset(
    [
        "NAME",
        "CLASSREF",
        "NUMBER",
        "STRING",
        "BOOLEAN",
        "VARIABLE",
        "WORD",
        "HEREDOC",
        ")",
        "]",
        "}",
    ]
)
END = 1 << 62
USUAL = " \t\r\n"
"""The blanks that may change."""


class PieceReader:
    """The state of reading: the open brackets, the last pieces, and the lines so far."""

    def __init__(self, text: str, tokens: Tokens, marks: Marks, tab: int) -> None:
        self.text = text
        self.tokens = tokens
        self.marks = marks
        self.tab = " " * tab
        self.heredocs = sorted(tokens.heredocs, reverse=True)
        self.bracket = Bracket(TOP, None, None)
        self.after_pipes = False
        self.in_header = False
        self.last: Piece | None = None
        """The last piece, comments aside."""
        self.before_last = ""
        self.lines: list[CodeLine] = []
        self.pieces: list[Piece] = []
        self.position = 0
        self.in_line = False

    def read(self) -> list[CodeLine]:
        """Return the lines."""
        comments = self.comments()
        comment = next(comments, (END, END))
        for kind, start, end in self.code():
            while comment[0] < start:
                self.add_comment(*comment)
                comment = next(comments, (END, END))
            gap = self.gap_before(start)
            self.add(kind, self.text[start:end], gap, start)
            self.position = end
        while comment[0] < END:
            self.add_comment(*comment)
            comment = next(comments, (END, END))
        self.end_line()
        self.pass_heredocs(len(self.text))
        return self.lines

    def comments(self) -> Iterator[tuple[int, int]]:
        """Yield the places of the comments, in order."""
        return comments_in(sorted(self.tokens.comment_runs), self.text)

    def code(self) -> Iterator[tuple[str, int, int]]:
        """Yield kind, start and end of each token; a string with interpolations is one."""
        tokens = self.tokens
        kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
        at, size = 0, len(kinds)
        while at < size:
            kind = kinds[at]
            if kind == "END":
                return
            if kind == "DQPRE":
                last = string_end(kinds, at)
                yield "STRING", starts[at], ends[last]
                at = last
            else:
                yield kind, starts[at], ends[at]
                if kind == "HEREDOC":
                    at = string_end(kinds, at + 1)
            at += 1

    def add_comment(self, start: int, end: int) -> None:
        """Add a comment, unless it stands in a string or a heredoc that was added."""
        if start < self.position:
            return
        gap = self.gap_before(start)
        if start < self.position:
            return  # in the text of a heredoc
        self.position = end
        text = self.text[start:end]
        if text[0] == "#":
            text = text.removesuffix("\r")
        self.pieces.append(Piece(COMMENT, text, gap, start, self.bracket))

    def gap_before(self, start: int) -> int:
        """Return the number of blanks before an offset; begin a new line there if one ends before."""
        text = self.text[self.position : start]
        if self.in_line and "\n" not in text:
            if text in {"", " "}:
                return len(text)
            self.keep_odd_blanks(text)
            return len(text.replace("\t", self.tab))
        self.end_line()
        self.pass_heredocs(start)
        if start < self.position:
            return 0
        self.begin_line(self.text[self.position : start], start)
        return 0

    def keep_odd_blanks(self, text: str) -> bool:
        """Keep the last line if there are blanks behind it such as no-break spaces; return whether."""
        is_odd = bool(text.strip(USUAL))
        if is_odd and self.lines:
            self.lines[-1].kept = True
        return is_odd

    def end_line(self) -> None:
        """Set the end of the last line."""
        if self.in_line:
            end = self.text.find("\n", self.position)
            self.lines[-1].end = len(self.text) if end < 0 else end

    def pass_heredocs(self, start: int) -> None:
        """Add the texts of the heredocs before an offset to the line that ends."""
        heredocs = self.heredocs
        while heredocs and heredocs[-1][0] <= start:
            first, last = heredocs.pop()
            if first >= self.position:
                self.lines[-1].raw += self.text[first:last]
                self.position = last
                self.in_line = False

    def begin_line(self, gap: str, start: int) -> None:
        """Begin a line at an offset, behind line ends and blanks."""
        _, _, indent = gap.rpartition("\n")
        blanks = gap.count("\n") - self.in_line
        self.in_line = True
        self.pieces = []
        written = len(indent.replace("\t", self.tab).replace("\r", ""))
        is_odd = self.keep_odd_blanks(gap)
        self.lines.append(CodeLine(self.pieces, blanks, written, start - len(indent)))
        self.lines[-1].kept = is_odd

    def add(self, kind: str, text: str, gap: int, start: int) -> None:
        """Add a token."""
        bracket = self.bracket
        piece = Piece(kind, text, gap, start, bracket)
        piece.begins = start in self.marks.statements
        self.pieces.append(piece)
        if kind in OPENERS:
            self.open(piece)
        elif kind in CLOSERS:
            self.close(piece)
        elif kind == "|":
            if bracket.role is PIPES:
                self.close(piece)
                self.after_pipes = True
            else:
                self.push(piece, PIPES)
        elif kind in HEADERS:
            self.in_header = True
        elif kind in {":", ";"}:
            bracket.titles += 1
        elif start in self.marks.signs or (kind == "*" and bracket.role in WITH_REST):
            piece.role = UNARY
        if (
            bracket.role in LISTS_OF_PARAMETERS
            and piece is self.pieces[0]
            and (self.last is bracket.opener or (self.last is not None and self.last.kind == ","))
        ):
            bracket.is_broken = True
        self.before_last = self.last.kind if self.last else ""
        self.last = piece

    def open(self, piece: Piece) -> None:
        """Open a bracket."""
        kind = piece.kind
        if kind in ROUND:
            role = self.role_of_parenthesis(piece)
        elif kind in SQUARE:
            role = self.role_of_square_bracket(piece)
        elif kind in QUERIES:
            role = QUERY
        elif kind == "SELBRACE":
            role = SELECTOR
        else:
            role = self.role_of_brace(piece)
        self.push(piece, role)

    def role_of_parenthesis(self, piece: Piece) -> str:
        """Return what a parenthesis is for."""
        if piece.start in self.marks.groups:
            return GROUP
        if self.before_last == "function":
            return SIGNATURE
        return PARAMETERS if self.before_last in DEFINITIONS else CALL

    def role_of_square_bracket(self, piece: Piece) -> str:
        """Return what a square bracket is for."""
        last = self.last
        if piece.kind == "LISTSTART" or last is None or last.kind not in OPERANDS:
            return LIST
        if last.kind == "CLASSREF" or (last.kind == "]" and last.bracket.role is TYPE):
            return TYPE
        return INDEX

    def role_of_brace(self, piece: Piece) -> str:
        """Return what a brace is for."""
        if piece.start in self.marks.hashes:
            return HASH
        last = self.last
        role = self.marks.heads.get(last.start + len(last.text)) if last else None
        if role:
            self.in_header = False  # the class was a resource
            return role
        if self.after_pipes:
            self.after_pipes = False
            return LAMBDA
        if self.in_header:
            self.in_header = False
            return DEFINITION
        return BLOCK

    def push(self, piece: Piece, role: str) -> None:
        """Begin a pair of brackets."""
        self.bracket = piece.bracket = Bracket(role, piece, self.bracket)
        piece.role = role

    def close(self, piece: Piece) -> None:
        """End the innermost pair of brackets."""
        bracket = self.bracket
        piece.bracket = bracket
        piece.role = bracket.role
        bracket.closer = piece
        if piece is self.pieces[0]:
            bracket.is_broken = True
        elif bracket.role is HASH:
            pieces = self.pieces
            after = pieces[pieces.index(bracket.opener) + 1] if bracket.opener in pieces else None
            bracket.is_tight = after is not None and after.gap == 0 == piece.gap
        self.bracket = bracket.around or bracket


def string_end(kinds: list[str], at: int) -> int:
    """Return the index of the last token of a string that begins at an index."""
    depth = 0
    while True:
        if kinds[at] == "DQPRE":
            depth += 1
        elif kinds[at] == "DQPOST":
            depth -= 1
        elif kinds[at] == "HEREDOC":
            at = string_end(kinds, at + 1)
        if not depth:
            return at
        at += 1


def read_lines(text: str, tokens: Tokens, program: Program, tab: int) -> list[CodeLine]:
    """Return the lines of a manifest; a tab counts as many columns as ``tab`` says."""
    return PieceReader(text, tokens, marks_of(program), tab).read()
