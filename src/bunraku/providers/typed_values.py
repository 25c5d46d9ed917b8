"""Values whose Puppet type a resource type declares, as types of Puppet's Resource API do."""

from __future__ import annotations

from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.providers.errors import InvalidValue
from bunraku.types import mismatch_words
from bunraku.types.model import Type
from bunraku.types.parse import parse_type
from bunraku.types.relations.infer import infer_detailed
from bunraku.types.relations.instance import is_instance

Value = Any
ENSURE = "Enum['absent', 'present']"
"""The type of ``ensure``."""


@remembered(256)
def value_type(text: str) -> Type:
    """Return the type of values."""
    return parse_type(text)


def typed(subject: str, type_: str, value: Value) -> Value:
    """Return a value of a type; raise InvalidValue, in Puppet's words, for any other.

    >>> typed("a.b", "Integer[0]", 5)
    5
    """
    expected = value_type(type_)
    if not is_instance(value, expected):
        raise InvalidValue(mismatch_words.mismatch(subject, expected, infer_detailed(value)))
    return value
