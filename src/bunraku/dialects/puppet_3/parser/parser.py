"""From text to the syntax tree, by the grammar of Puppet 3's own parser.

The tree is made of the same nodes as that of the modern grammar. Numbers are Name nodes with the
number as written, for they are text until something calculates with them; bare words too.
"""

from __future__ import annotations

from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.dialects.puppet_3.lexer import tokenize, tokenize_template
from bunraku.dialects.puppet_3.parser.definitions import RULES, SIDES, Definitions
from bunraku.syntax.nodes import Block, Expression, Nop, Program
from bunraku.syntax.parser.parser import ParseResult, make_room_on_the_stack
from bunraku.syntax.parser.state import SyntaxFailure
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Tokens

__all__ = ["parse", "parse_epp"]


class Parser(Definitions):
    """A parser for the grammar of Puppet 3."""

    rules = RULES
    sides = SIDES

    def unexpected_end(self) -> SyntaxFailure:
        """The mistake that the end of the text is; Puppet 3 sees it after the last line."""
        failure = super().unexpected_end()
        end = len(self.source.text)
        return SyntaxFailure(replace(failure.finding, start=end, end=end))

    def program(self) -> Expression:
        """``statements``: a whole manifest."""
        statements = self.statements("END")
        if len(statements) == 1:
            return statements[0]
        end = len(self.source.text)
        if not statements:
            return Nop(end, end)
        return Block(statements[0].start, statements[-1].end, statements)


def parse(source: Source, dialect: SyntaxRules) -> ParseResult:
    """Parse a manifest; mistakes are in the result, not raised.

    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> result = parse(Source("notice 'hello'"), PUPPET_3_8.syntax)
    >>> type(result.program.body).__name__, result.diagnostics
    ('Call', [])
    """
    return run(source, tokenize(source, dialect), dialect)


def parse_epp(source: Source, dialect: SyntaxRules) -> ParseResult:
    """Refuse an EPP template, which this language does not have.

    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> [item.code for item in parse_epp(Source("<%= 1 %>"), PUPPET_3_8.syntax).errors]
    ['EPP_NOT_SUPPORTED']
    """
    return run(source, tokenize_template(source, dialect), dialect)


def run(source: Source, tokens: Tokens, dialect: SyntaxRules) -> ParseResult:
    """Parse tokens."""
    make_room_on_the_stack()
    parser = Parser(source, tokens, dialect)
    text = source.text
    try:
        body = parser.program()
    except SyntaxFailure as failure:
        if failure.finding not in parser.findings:
            parser.findings.append(failure.finding)
        body = Nop(len(text), len(text))
    program = Program(source, body, parser.definitions, tokens.comments)
    return ParseResult(program, parser.diagnostics())
