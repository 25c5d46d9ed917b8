"""Values as text, for interpolation, ``notice`` and string conversion without a format."""

from __future__ import annotations

from typing import Any

from bunraku.types.builtin import RESOURCE_PARAMETER
from bunraku.types.model import Type
from bunraku.types.relations.infer import infer_generalized
from bunraku.types.text.display import display, object_value_text
from bunraku.values.iterator import Iterator
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.pcore import PcoreObject

Value = Any


def to_text(value: Value) -> str:
    """Return the text of a value.

    >>> to_text([1, "a", None, {"k": True}])
    '[1, a, , {k => true}]'
    """
    kind = value.__class__
    if kind is str:
        text: str = value
        return text
    if kind is int:
        return str(value)
    if value is None:
        return ""
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return float_text(value)
    if kind is list:
        return "[" + ", ".join(map(to_text, value)) + "]"
    if kind is dict:
        entries = (f"{to_text(key)} => {to_text(item)}" for key, item in pairs(value))
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, Type):
        return value.declared if hasattr(value, "declared") else display(value)
    if kind is PcoreObject and value.type is RESOURCE_PARAMETER:
        return str(value.attributes["name"])
    if kind is PcoreObject:
        return object_value_text(value)
    if kind is Iterator:
        return display(infer_generalized(value)) + "-Value"
    if kind.__name__ == "Default":
        return "default"
    if kind.__name__ == "Sensitive":
        return "Sensitive [value redacted]"
    return str(value)
