"""Puppet 3.8 with its own parser (``parser = current``)."""

from __future__ import annotations

from bunraku.base.lazy_imports import Imported
from bunraku.base.records import replace
from bunraku.compiler.rules import CompilerRules
from bunraku.dialects.dialect import Dialect, Grammar
from bunraku.dialects.puppet_3 import common
from bunraku.syntax.rules import SyntaxRules

PUPPET_3_8 = Dialect(
    "3.8",
    version="3.8.7",
    grammar=Grammar(
        lexer="bunraku.dialects.puppet_3.lexer",
        parser="bunraku.dialects.puppet_3.parser.parser",
        checker="bunraku.dialects.puppet_3.checks",
    ),
    syntax=SyntaxRules(),
    compiler=CompilerRules(late_lines=True, works_in_place=False),
    runtime=replace(
        common.RUNTIME,
        catalog_value=Imported("bunraku.dialects.puppet_3.resources", "catalog_value"),
        relative_names=True,
        templates_see_callers=True,
    ),
    helpers=(
        (
            "bunraku.dialects.puppet_3.access",
            "access assign_element parameterize reference reference=reference_in_alias",
        ),
        ("bunraku.dialects.puppet_3.calls", "call call_statement"),
        ("bunraku.dialects.puppet_3.collect", "collect other_query"),
        (
            "bunraku.dialects.puppet_3.operators",
            (
                "add contains divide equal greater greater_equal less less_equal matches modulo multiply"
                " negate not_matches option_matches shift_left shift_right subtract unequal"
                " unmatched_selector"
            ),
        ),
        ("bunraku.dialects.puppet_3.resources", "declare override titles"),
        ("bunraku.dialects.puppet_3.values", "text truthy"),
        ("bunraku.dialects.puppet_3.variables", "append assign capture read_qualified"),
    ),
    settings=common.SETTINGS,
    given_settings=common.GIVEN_SETTINGS,
    removed_settings=frozenset(),
    changed_settings={},
    top_variables=common.TOP_VARIABLES,
    outer_variables=Imported("bunraku.dialects.puppet_3.node_variables", "outer_variables"),
    functions=Imported("bunraku.dialects.puppet_3.functions.libraries", "PUPPET_3_8"),
)


def as_documented(dialect: Dialect) -> Dialect:
    """Return a dialect as the manual of Puppet 3 describes it, where the program differs."""
    described = dialect.with_syntax(
        joins_lines_in_double_quotes=False, words_start_with_digit=False
    )
    rules = replace(dialect.runtime, node_captures=False, plain_numbers=True)
    return replace(described, runtime=rules)


DIALECTS = {"puppet": PUPPET_3_8, "documents": as_documented(PUPPET_3_8)}
