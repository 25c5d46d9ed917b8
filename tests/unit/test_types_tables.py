"""Every data type stands in every table of types, or is listed here with the reason why not.

Somebody who adds a type learns from this test which tables there are.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bunraku.types import model, names
from bunraku.types.base import Named, TypeAliasType
from bunraku.types.convert import convert
from bunraku.types.model import Type
from bunraku.types.objects import ObjectExtensionType, ObjectType, TypeSetType
from bunraku.types.parameters import parameters
from bunraku.types.relations import common, dispatch, instance
from bunraku.types.text import display

BASES = {"Named", "Sized", "Wrapper"}
"""Classes that other types inherit from; no type is of them alone."""
WITHOUT_PARAMETERS = {
    *("AnyType", "BinaryType", "CatalogEntryType", "DefaultType", "NumericType", "ScalarDataType"),
    *("ScalarType", "SemVerRangeType", "UndefType", "UnitType"),
}
NAMED = {"TypeAliasType", "TypeReferenceType"}
OBJECTS = {"ObjectType", "ObjectExtensionType", "TypeSetType"}
CATALOG = {"ClassType", "ResourceType"}

TABLES = {
    "a further [...]": (
        {*parameters.RULES, *parameters.FURTHER},
        WITHOUT_PARAMETERS | {"TypeAliasType"},
    ),
    "the general type": (
        set(common.GENERAL),
        # Generalized as they are: they have no parameters, or keep them, as in Puppet.
        (WITHOUT_PARAMETERS | CATALOG | NAMED | OBJECTS - {"ObjectExtensionType"})
        | {"InitType", "PatternType", "RegexpType", "RuntimeType", "SemVerType"},
    ),
    "values made by new": (
        set(convert.MAKERS),
        # Puppet cannot make a value of these, or makes it by the type inside or by its name.
        (WITHOUT_PARAMETERS - {"BinaryType", "NumericType", "SemVerRangeType"})
        | (CATALOG | NAMED | OBJECTS)
        | {"CallableType", "CollectionType", "EnumType", "InitType", "IterableType", "IteratorType"}
        | {"NotUndefType", "OptionalType", "PatternType", "RuntimeType", "TypeType", "VariantType"},
    ),
    "the text of parameters": (set(display.RULES), WITHOUT_PARAMETERS),
    "whether a value is of the type": (set(instance.BUILDERS), set()),
    "whether one type takes another": (set(dispatch.RELATIONS), set()),
    "the name": (
        {type_.__class__ for type_ in names.TYPES.values()},
        {"ObjectExtensionType", "UnitType"},  # manifests cannot name them
    ),
}


def types(base: type[Type] = Type) -> Iterator[type[Type]]:
    """The classes of all types."""
    for one in base.__subclasses__():
        yield one
        yield from types(one)


def test_all_types_are_seen():
    found = set(types())
    assert {model.IntegerType, TypeAliasType, ObjectType, ObjectExtensionType, TypeSetType} <= found
    assert {Named, model.Wrapper, model.Sized} <= found


@pytest.mark.parametrize("table", TABLES)
def test_every_type_is_in_the_table_or_listed(table):
    entries, listed = TABLES[table]
    found = {one.__name__ for one in entries}
    assert {one.__name__ for one in types()} - found == listed | BASES
