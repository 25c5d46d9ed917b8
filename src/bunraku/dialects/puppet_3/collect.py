"""Collectors of Puppet 3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.dialects.puppet_3.resources import resource_type
from bunraku.runtime import collect as puppet_8
from bunraku.runtime.declare import Attributes
from bunraku.runtime.state import Lines, Scope
from bunraku.types.model import ResourceType

Value = Any


def collect(
    scope: Scope,
    type_: Value,
    exported: bool,
    query: Any,
    given: Attributes,
    file: str,
    line: int,
    lines: Lines = None,
) -> puppet_8.Collector:
    """``Type <| query |> { attributes }``: the type must be there; it may be one near by."""
    if isinstance(type_, ResourceType) and type_.type_name is not None:
        type_ = ResourceType(resource_type(scope, type_.type_name).removeprefix("::"))
    return puppet_8.collect(scope, type_, exported, query, given, file, line, lines)


def other_query(operator: str, attribute: str, value: Callable[[], Value]) -> list[Any]:
    """Return a comparison with the value of any expression."""
    return [operator, attribute, value()]
