"""Puppet 8, whose ways are the defaults of every layer's rules."""

from __future__ import annotations

from bunraku.base.lazy_imports import Imported
from bunraku.compiler import rules as compiler
from bunraku.dialects.dialect import Dialect, Grammar
from bunraku.runtime import rules as runtime
from bunraku.syntax import rules as syntax

PUPPET_8 = Dialect(
    "8",
    version="8.28.1",
    grammar=Grammar(
        lexer="bunraku.syntax.lexer",
        parser="bunraku.syntax.parser.parser",
        checker="bunraku.syntax.check.check",
    ),
    syntax=syntax.DEFAULTS,
    compiler=compiler.DEFAULTS,
    runtime=runtime.DEFAULTS,
    helpers=(),
    settings=Imported("bunraku.modules.settings", "DEFAULTS"),
    given_settings={},
    removed_settings=frozenset(),
    changed_settings={},
    top_variables=Imported("bunraku.modules.node", "top_variables"),
    outer_variables=None,
    functions=Imported("bunraku.functions.registry", "PUPPET_8"),
)


def as_documented(dialect: Dialect) -> Dialect:
    """Return a dialect as the manual of Puppet 8 describes it, where the program differs."""
    return dialect.with_syntax(
        margin_all_or_nothing=False,
        end_text_after_text=False,
        joins_lines_in_double_quotes=False,
        words_start_with_underscore=False,
        keyword_chains=False,
        trailing_comma_in_types=False,
    )


DIALECTS = {"puppet": PUPPET_8, "documents": as_documented(PUPPET_8)}
