"""From text to the syntax tree, by the grammar of Puppet 3's own parser.

The tree is made of the same nodes as that of the modern grammar. Numbers are Name nodes with the
number as written, for they are text until something calculates with them; bare words too.
"""

from __future__ import annotations

from typing import Final

from bunraku.base.source import Source
from bunraku.dialects.puppet_3.lexer import tokenize, tokenize_template
from bunraku.dialects.puppet_3.parser.definitions import (
    body_of,
    branch,
    definition_name,
    definition_parameters,
)
from bunraku.dialects.puppet_3.parser.expressions import (
    OPERANDS,
    POWER,
    expression,
    selector_match,
)
from bunraku.dialects.puppet_3.parser.statements import statement
from bunraku.syntax.parser.blocks import program
from bunraku.syntax.parser.parser import result_of
from bunraku.syntax.parser.result import ParseResult
from bunraku.syntax.parser.state import GrammarRules, Parser
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Tokens

__all__ = ["parse", "parse_epp"]


GRAMMAR: Final = GrammarRules(
    prefixes=OPERANDS,
    powers=POWER,
    expression=expression,
    statement=statement,
    branch=branch,
    body=body_of,
    interpolated=expression,
    option_value=selector_match,
    definition_name=definition_name,
    definition_parameters=definition_parameters,
    ends_after_blanks=True,
)


def parse(source: Source, dialect: SyntaxRules, tokens: Tokens | None = None) -> ParseResult:
    """Parse a manifest, whose tokens may be known; mistakes are in the result, not raised.

    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> result = parse(Source("notice 'hello'"), PUPPET_3_8.syntax)
    >>> type(result.program.body).__name__, result.diagnostics
    ('Call', [])
    """
    return run(source, tokenize(source, dialect) if tokens is None else tokens, dialect)


def parse_epp(source: Source, dialect: SyntaxRules) -> ParseResult:
    """Refuse an EPP template, which this language does not have.

    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> [item.code for item in parse_epp(Source("<%= 1 %>"), PUPPET_3_8.syntax).errors]
    ['EPP_NOT_SUPPORTED']
    """
    return run(source, tokenize_template(source, dialect), dialect)


def run(source: Source, tokens: Tokens, dialect: SyntaxRules) -> ParseResult:
    """Parse tokens."""
    return result_of(Parser(source, tokens, dialect, GRAMMAR), program)
