"""Puppet 3.8 with ``parser = future``: the language of Puppet 4, before its release, on Puppet 3."""

from __future__ import annotations

from bunraku.base.lazy_imports import Imported
from bunraku.base.records import replace
from bunraku.compiler.rules import CompilerRules
from bunraku.dialects.dialect import Dialect
from bunraku.dialects.puppet_3 import common
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.syntax.rules import KEYWORDS, TYPE_NAMES, WORD_CHARACTER, LexicalRules, SyntaxRules

LATER_KEYWORDS = frozenset({"application", "consumes", "produces"})
LATER_TYPES = frozenset(
    [
        "init",
        "object",
        "semver",
        "semverrange",
        "sensitive",
        "string",
        "timespan",
        "timestamp",
        "typeset",
    ]
)

FUTURE_PARSER = Dialect(
    "3.8-future",
    version="3.8.7",
    grammar=PUPPET_8.grammar,
    syntax=SyntaxRules(
        words=LexicalRules(
            class_reference=rf"(?:::)?[A-Z]{WORD_CHARACTER}*+(?:::[A-Z]{WORD_CHARACTER}*+)*+",
            keywords=KEYWORDS | LATER_KEYWORDS,
            reserved=frozenset({"attr", "private", "function", "type"}),
            future=LATER_KEYWORDS,
            regexps_in_one_line=True,
            keywords_name_variables=True,
            nested_interpolations=False,
        ),
        puppet_3_codes=True,
        limited_integers=False,
        loose_entries=False,
        selectors_first=True,
        one_default=False,
        virtual_classes=True,
        callable_types=False,
        return_types=False,
        global_names=True,
        type_names=TYPE_NAMES - LATER_TYPES,
        literal_types=False,
        modules_only_define=False,
    ),
    compiler=CompilerRules(works_in_place=False),
    runtime=replace(common.RUNTIME, relative_defines=True),
    helpers=(
        (
            "bunraku.dialects.puppet_3.future_operators",
            "access access_many add divide modulo multiply negate shift_left shift_right subtract",
        ),
        (
            "bunraku.dialects.puppet_3.future_references",
            "reference reference=reference_in_alias",
        ),
        ("bunraku.runtime.collect", "illegal_query=undef_in_query"),
    ),
    settings=common.SETTINGS,
    given_settings=common.GIVEN_SETTINGS,
    removed_settings=frozenset(),
    changed_settings={},
    top_variables=common.TOP_VARIABLES,
    outer_variables=None,
    functions=Imported("bunraku.dialects.puppet_3.functions.libraries", "FUTURE_PARSER"),
)

DIALECTS = {"puppet": FUTURE_PARSER, "documents": FUTURE_PARSER}
