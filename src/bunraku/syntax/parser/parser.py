"""From text to the syntax tree: parsers of manifests and of EPP templates.

Each rule of the grammar is a function of the parser's state. ``operators`` finds the rules by the
tokens that they begin with.
"""

from __future__ import annotations

import sys
from functools import lru_cache

from bunraku.base.garbage_collection import PATIENT
from bunraku.base.lazy_typing import Final
from bunraku.base.source import Source
from bunraku.syntax.lexer import tokenize, tokenize_template
from bunraku.syntax.nodes import Nop, Program
from bunraku.syntax.parser import (
    calls,
    definitions,
    literals,
    resources,
    statements,
    templates,
)
from bunraku.syntax.parser.blocks import block, branch, program
from bunraku.syntax.parser.literals import interpolated
from bunraku.syntax.parser.operators import POWER, POWER_OF_SELECTORS_FIRST, PREFIXES, expression
from bunraku.syntax.parser.result import ParseResult
from bunraku.syntax.parser.state import NESTING_LIMIT, GrammarRules, Parser, Rule, SyntaxFailure
from bunraku.syntax.parser.statements import statement
from bunraku.syntax.parser.templates import template
from bunraku.syntax.rules import DEFAULTS, SyntaxRules
from bunraku.syntax.tokens import Tokens

FRAMES_A_LEVEL: Final = 8
"""Most Python frames for a level of nesting, in the parser and in code that walks its tree."""


RULE_MODULES: Final = (literals, calls, resources, statements, definitions, templates)
"""The modules that register the rules of tokens that begin an expression."""


@lru_cache(maxsize=32)
def grammar_of(dialect: SyntaxRules) -> GrammarRules:
    """Return the grammar of a dialect, in which a reserved word begins only itself."""
    reserved = dialect.words.reserved | dialect.words.future
    return GrammarRules(
        prefixes={**PREFIXES, **dict.fromkeys(reserved, literals.reserved_word)},
        powers=POWER_OF_SELECTORS_FIRST if dialect.selectors_first else POWER,
        expression=expression,
        statement=statement,
        branch=branch,
        body=block,
        interpolated=interpolated,
        option_value=expression,
        definition_name=definitions.definition_name,
        definition_parameters=definitions.definition_parameters,
    )


def parse(
    source: Source, dialect: SyntaxRules = DEFAULTS, tokens: Tokens | None = None
) -> ParseResult:
    """Parse a manifest, whose tokens may be known; mistakes are in the result, not raised.

    >>> result = parse(Source("notice('hello')"))
    >>> type(result.program.body).__name__, result.diagnostics
    ('Call', [])
    """
    return run(source, tokenize(source, dialect) if tokens is None else tokens, dialect, program)


def parse_epp(source: Source, dialect: SyntaxRules = DEFAULTS) -> ParseResult:
    """Parse an EPP template; the body of the program is a Lambda.

    >>> result = parse_epp(Source("Hello <%= $name %>!"))
    >>> type(result.program.body).__name__, result.diagnostics
    ('Lambda', [])
    """
    return run(source, tokenize_template(source, dialect), dialect, template)


def run(source: Source, tokens: Tokens, dialect: SyntaxRules, start: Rule) -> ParseResult:
    """Parse tokens by the rule of a whole manifest or template."""
    parser = Parser(source, tokens, dialect, grammar_of(dialect))
    with PATIENT:  # a syntax tree has many nodes and no cycles
        return result_of(parser, start)


def result_of(parser: Parser, start: Rule) -> ParseResult:
    """Parse all tokens by a rule; a fatal mistake leaves an empty program."""
    make_room_on_the_stack()
    try:
        body = start(parser)
    except SyntaxFailure as failure:
        failure.forget_frames()
        if failure.finding not in parser.findings:
            parser.findings.append(failure.finding)
        end = len(parser.source.text)
        body = Nop(end, end)
    found = Program(parser.source, body, parser.definitions, parser.tokens.comment_runs)
    return ParseResult(found, parser.diagnostics())


def make_room_on_the_stack() -> None:
    """Raise Python's limit of recursion so that code can be nested to that of the parser.

    Calls from Python to Python take no C stack since CPython 3.11, so this is safe.
    """
    needed = NESTING_LIMIT * FRAMES_A_LEVEL + 2000
    if sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)
