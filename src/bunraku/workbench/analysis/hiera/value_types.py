"""The types of values in data, before their interpolations are replaced."""

from __future__ import annotations

from typing import Any

from bunraku.hiera.interpolate import EXPRESSION, METHOD
from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.types.relations.infer import EMPTY_ARRAY, EMPTY_HASH, infer
from bunraku.values.keys import from_key
from bunraku.workbench.analysis.declared_types import UNKNOWN


def type_of_data(value: Any) -> Type:
    """Return the type of a value; an interpolated text is some String, an alias is unknown.

    >>> type_of_data(["%{facts.os.family}", "%{alias('b')}", 3])
    TupleType(types=(StringType(low=None, high=None, value=None), UnitType(), IntegerType(low=3, high=3)), low=None, high=None)
    """
    if isinstance(value, str):
        return type_of_text(value)
    if isinstance(value, list):
        return m.TupleType(tuple(map(type_of_data, value))) if value else EMPTY_ARRAY
    if isinstance(value, dict):
        return type_of_hash(value)
    return infer(value)


def type_of_text(value: str) -> Type:
    """Return the type of a text."""
    if "%{" not in value and "ENC[" not in value:
        return m.StringType(value=value)
    whole = EXPRESSION.fullmatch(value.strip())
    call = None if whole is None else METHOD.fullmatch(whole[1].strip())
    return UNKNOWN if call is not None and call[1] == "alias" else m.StringType()


def type_of_hash(value: dict[Any, Any]) -> Type:
    """Return the type of a hash."""
    if not value:
        return EMPTY_HASH
    if all(isinstance(key, str) and key and "%{" not in key for key in value):
        return m.StructType(
            tuple(m.StructElement(key, type_of_data(item)) for key, item in value.items())
        )
    keys = [from_key(key) for key in value]
    found = [UNKNOWN if isinstance(key, str) else infer(key) for key in keys]
    key_type = UNKNOWN if UNKNOWN in found else m.VariantType(tuple(dict.fromkeys(found)))
    return m.HashType(key_type, UNKNOWN, 1, len(value))
