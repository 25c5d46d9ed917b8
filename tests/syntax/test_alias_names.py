"""The names that no type alias may have are those of all built-in types, but for two."""

from __future__ import annotations

from bunraku.catalog.schema.builtin import builtin_resource_type_names
from bunraku.syntax.rules import ALIAS_NAMES
from bunraku.types.names import TYPES

FREE = {"error", "unit"}
"""Puppet 7.23 lets a type alias have these names."""


def test_built_in_types_are_no_names_of_aliases():
    assert {name.lower() for name in TYPES} - ALIAS_NAMES <= FREE
    assert not ALIAS_NAMES & FREE


def test_the_other_names_are_resource_types():
    others = ALIAS_NAMES - {name.lower() for name in TYPES}
    assert others - {"collection", "node"} <= {*builtin_resource_type_names(), "component", "whit"}
