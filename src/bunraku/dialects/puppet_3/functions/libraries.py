"""The functions of Puppet 3's dialects: core functions, and the standard library of that time."""

from __future__ import annotations

from bunraku.base.records import replace
from bunraku.dialects.function_modules import dialect_module
from bunraku.dialects.puppet_3.functions.index import CORE
from bunraku.dialects.puppet_3.functions.standard import with_symbols
from bunraku.functions.registry import Library, modules_of

LAST_STDLIB = (4, 25, 1)
"""The last release of the standard library for Puppet 3."""

PUPPET_3_8 = Library(
    modules_of(CORE["3.8"]),
    frozenset({"python", "ruby3"}),
    LAST_STDLIB,
    with_symbols,
    dialect_module,
)
PUPPET_3_0 = replace(PUPPET_3_8, core=modules_of(CORE["3.0"]))
FUTURE_PARSER = replace(
    PUPPET_3_8, core=modules_of(CORE["3.8-future"]), kinds=frozenset({"python", "ruby", "ruby3"})
)
