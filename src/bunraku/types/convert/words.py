"""Puppet's words about conversions that fail."""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.types.convert import issues
from bunraku.types.relations.infer import infer_generalized
from bunraku.types.text.display import display, literal


def function_name(target: str) -> str:
    """Return the name that the conversion to a type has in Puppet's messages.

    >>> function_name("Integer"), function_name("Float")
    ('new', 'new_float')
    """
    return "new" if target == "Integer" else f"new_{target.lower()}"


def value_kind(value: Any) -> str:
    """Return the words for a value that cannot be converted.

    >>> value_kind("x"), value_kind([])
    ("The string 'x'", 'Value of type Array[Unit]')
    """
    if value.__class__ is str:
        return f"The string '{value}'"
    return (
        "Value of type Array[Unit]"
        if value == []
        else f"Value of type {display(infer_generalized(value))}"
    )


def not_convertible(value: Any, target: str) -> PuppetError:
    """Return the error for a value from which no value of a type can be made."""
    return issues.NOT_CONVERTIBLE(
        name=f"{target}.new",
        value=literal(value),
        target=target,
        function=function_name(target),
        kind=value_kind(value),
    )
