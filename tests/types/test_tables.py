"""Every data type stands in every table of types, or is listed here with the reason why not.

Somebody who adds a type learns from this test which tables there are.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest

import bunraku
from bunraku.catalog import rich_data
from bunraku.ruby.process import types as ruby_types
from bunraku.types import model, names
from bunraku.types.base import Named, TypeAliasType
from bunraku.types.convert import convert
from bunraku.types.init import fixed_signatures
from bunraku.types.model import Type
from bunraku.types.objects import ObjectExtensionType, ObjectType, TypeSetType
from bunraku.types.parameters import parameters
from bunraku.types.relations import common, dispatch, instance, overlap
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
WRAPPERS = {"IterableType", "IteratorType", "NotUndefType", "OptionalType", "TypeType"}

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
    "what new takes, for Init": (
        set(fixed_signatures()),
        # These depend on the parameters of the type, or new makes no value of them.
        (WITHOUT_PARAMETERS - {"BinaryType", "NumericType", "SemVerRangeType"})
        | (CATALOG | NAMED | OBJECTS | WRAPPERS - {"TypeType"})
        | {"CallableType", "CollectionType", "EnumType", "InitType", "PatternType", "RuntimeType"}
        | {"VariantType"},
    ),
    "the common type of two": (
        {left for left, _ in common.RULES},
        # Two of these are the same type, or have only their general type in common.
        (WITHOUT_PARAMETERS | NAMED | OBJECTS | WRAPPERS - {"TypeType"})
        | {"BooleanType", "CollectionType", "InitType", "SemVerType", "SensitiveType", "StructType"}
        | {"TimespanType", "TimestampType", "TupleType", "URIType", "VariantType"},
    ),
    "rich data": (
        {*rich_data.PARTS, *rich_data.WITHOUT_PARTS},
        # The type inside, or the name, is what is written; Object types write themselves.
        WRAPPERS | NAMED | OBJECTS,
    ),
    "what Ruby gets": (
        set(ruby_types.PARTS),
        # The type inside, or the name, is all that Ruby gets.
        (WITHOUT_PARAMETERS | WRAPPERS | {"InitType", "ObjectExtensionType"})
        | {"TypeSetType", "URIType"},
    ),
    "the kind of values, for overlap": (
        set(overlap.KINDS),
        # Unions, types of other types, and types whose relation to others is not known.
        {"AnyType", "CatalogEntryType", "NumericType", "ScalarDataType", "ScalarType", "UnitType"}
        | (CATALOG | NAMED | OBJECTS | WRAPPERS - {"TypeType"})
        | {"CollectionType", "InitType", "RuntimeType", "VariantType"},
    ),
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


NAMED_HERE = [
    *(common.GENERAL, common.RULES, convert.MAKERS, dispatch.RELATIONS, display.RULES),
    *(instance.BUILDERS, overlap.KINDS, parameters.FURTHER, parameters.RULES),
    *(rich_data.PARTS, rich_data.WITHOUT_PARTS, ruby_types.PARTS),
]
OTHERS = {
    # What Puppet's words Scalar and ScalarData stand for, and types that stand for several others.
    "types.relations.assignable SCALAR_CLASSES",
    "types.relations.assignable SCALAR_DATA_CLASSES",
    "types.relations.dispatch SPLIT",
    # Types with a normal form other than themselves.
    "types.normalize RULES",
    # Types whose differences from a value Puppet describes part by part.
    "types.mismatch_words RULES",
    # Functions that make values, by the names that Puppet gives them and their parameters.
    "types.new_words NAMES",
    "types.new_words PARAMETERS",
    # Types whose calls return a value of the type.
    "workbench.analysis.inference MAKES_ITSELF",
}


def is_type(one):
    return isinstance(one, type) and issubclass(one, Type)


def collections_of_types():
    """Place and value of each module-level collection of more than three types."""
    for module in pkgutil.walk_packages(bunraku.__path__, "bunraku."):
        if module.name.endswith("__main__"):
            continue
        for name, value in vars(import_module(module.name)).items():
            if isinstance(value, dict | set | frozenset | tuple | list):
                first = [one[0] if isinstance(one, tuple) and one else one for one in value]
                if sum(map(is_type, first)) > 3:
                    yield f"{module.name.removeprefix('bunraku.')} {name}", value


def test_every_table_is_named_here():
    known = set(map(id, NAMED_HERE))
    assert {place for place, value in collections_of_types() if id(value) not in known} == OTHERS
