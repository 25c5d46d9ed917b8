"""Reading text of any dialect: which parser and checker a grammar has.

The modules of a grammar are imported when a text of it is read, for most runs need one only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_typing import Any
from bunraku.base.source import Source
from bunraku.syntax.nodes import Program
from bunraku.syntax.parser.parser import ParseResult
from bunraku.syntax.rules import Dialect
from bunraku.syntax.tokens import Tokens

GRAMMARS = {
    "modern": (
        "bunraku.syntax.parser.parser",
        "bunraku.syntax.check.check",
        "bunraku.syntax.lexer",
    ),
    "legacy": (
        "bunraku.dialects.puppet_3.parser.parser",
        "bunraku.dialects.puppet_3.checks",
        "bunraku.dialects.puppet_3.lexer",
    ),
}
"""Grammar → the modules that have its ``parse`` and ``parse_epp``, ``check``, and ``tokenize``."""


def tokenize(source: Source, dialect: Dialect) -> Tokens:
    """The tokens of a manifest or, as the source says, a template.

    >>> from bunraku.syntax.rules import LEGACY
    >>> tokenize(Source("notice 1.5"), LEGACY).kinds
    ['NAME', 'NAME', 'END']
    """
    module = import_module(GRAMMARS[dialect.grammar][2])
    read = module.tokenize_template if source.is_template else module.tokenize
    found: Tokens = read(source, dialect)
    return found


def parse(source: Source, dialect: Dialect) -> ParseResult:
    """Parse a manifest or, as the source says, a template; mistakes are in the result.

    >>> from bunraku.syntax.rules import FUTURE
    >>> parse(Source("notice('hello')"), FUTURE).diagnostics
    []
    """
    module = import_module(GRAMMARS[dialect.grammar][0])
    read = module.parse_epp if source.is_template else module.parse
    result: ParseResult = read(source, dialect)
    return result


def check(
    program: Program,
    dialect: Dialect,
    settings: Mapping[str, Any],
    modulepath: Iterable[str | tuple[str, str]] = (),
    compile_regexp: Callable[[str], object] | None = None,
) -> list[Diagnostic]:
    """The mistakes in a program that parses: see :func:`bunraku.syntax.check.check.check`."""
    module = import_module(GRAMMARS[dialect.grammar][1])
    found: list[Diagnostic] = module.check(program, dialect, settings, modulepath, compile_regexp)
    return found
