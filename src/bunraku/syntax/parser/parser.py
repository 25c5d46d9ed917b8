"""From text to the syntax tree: the two entrances to the parser.

The rules stand in ``expressions``, ``resources`` and ``definitions``; ``cursor`` holds what they
share.
"""

from __future__ import annotations

import sys
from functools import lru_cache

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.garbage_collection import PATIENT
from bunraku.base.lazy_typing import Final
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.syntax.lexer import tokenize, tokenize_template
from bunraku.syntax.nodes import Block, Expression, Nop, Program
from bunraku.syntax.parser.definitions import Definitions
from bunraku.syntax.parser.expressions import POWER, POWER_OF_3, PREFIXES
from bunraku.syntax.parser.state import NESTING_LIMIT, Prefix, SyntaxFailure
from bunraku.syntax.rules import DEFAULTS, SyntaxRules
from bunraku.syntax.tokens import Tokens

FRAMES_A_LEVEL: Final = 8
"""How many Python frames a level of nesting takes at most, in the parser and what walks its tree."""


@record()
class ParseResult:
    """The tree, as far as it could be built, and what was found wrong on the way."""

    program: Program
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def errors(self) -> list[Diagnostic]:
        """The mistakes, without the warnings."""
        return [item for item in self.diagnostics if item.severity == "error"]

    def checked(self) -> Program:
        """The tree, or a PuppetError that holds all mistakes."""
        errors = self.errors
        if errors:
            raise PuppetError(errors[0], errors[1:], phase="parse")
        return self.program


@lru_cache(maxsize=32)
def prefixes_of(dialect: SyntaxRules) -> dict[str, Prefix]:
    """What each token begins in a dialect: a reserved word only itself."""
    reserved = dialect.words.reserved | dialect.words.future
    return {**PREFIXES, **dict.fromkeys(reserved, Definitions.reserved)}


class Parser(Definitions):
    """A parser for the modern grammar."""

    def __init__(self, source: Source, tokens: Tokens, dialect: SyntaxRules) -> None:
        super().__init__(source, tokens, dialect)
        self.prefixes = prefixes_of(dialect)
        self.powers = POWER_OF_3 if dialect.selectors_first else POWER

    def program(self) -> Expression:
        """``statements``: a whole manifest."""
        statements = self.statements("END")
        if len(statements) == 1:
            return statements[0]
        end = len(self.source.text)
        if not statements:
            return Nop(end, end)
        return Block(statements[0].start, statements[-1].end, statements)


def parse(source: Source, dialect: SyntaxRules = DEFAULTS) -> ParseResult:
    """Parse a manifest; mistakes are in the result, not raised.

    >>> result = parse(Source("notice('hello')"))
    >>> type(result.program.body).__name__, result.diagnostics
    ('Call', [])
    """
    return run(source, tokenize(source, dialect), dialect, template=False)


def parse_epp(source: Source, dialect: SyntaxRules = DEFAULTS) -> ParseResult:
    """Parse an EPP template; the body of the program is a Lambda.

    >>> result = parse_epp(Source("Hello <%= $name %>!"))
    >>> type(result.program.body).__name__, result.diagnostics
    ('Lambda', [])
    """
    return run(source, tokenize_template(source, dialect), dialect, template=True)


def run(source: Source, tokens: Tokens, dialect: SyntaxRules, template: bool) -> ParseResult:
    """Parse tokens."""
    make_room_on_the_stack()
    parser = Parser(source, tokens, dialect)
    with PATIENT:  # a syntax tree has many nodes and no cycles
        try:
            body = parser.template() if template else parser.program()
        except SyntaxFailure as failure:
            if failure.finding not in parser.findings:
                parser.findings.append(failure.finding)
            body = Nop(len(source.text), len(source.text))
    program = Program(source, body, parser.definitions, tokens.comments)
    return ParseResult(program, parser.diagnostics())


def make_room_on_the_stack() -> None:
    """See to it that code nested to the limit does not meet Python's own limit first.

    Calls from Python to Python take no C stack since CPython 3.11, so this is safe.
    """
    needed = NESTING_LIMIT * FRAMES_A_LEVEL + 2000
    if sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)
