"""References to resources and classes, and the names of types in them."""

from __future__ import annotations

from typing import Any

from bunraku.base.records import replace
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.text.display import capitalize

Value = Any


def reference_text(reference: ResourceType | ClassType) -> str:
    """``File[/a]``, ``Class[Foo]``."""
    if isinstance(reference, ClassType):
        return f"Class[{capitalize(reference.name or '')}]"
    return f"{capitalize(reference.type_name or '')}[{reference.title}]"


def quoted_reference(reference: ResourceType | ClassType) -> str:
    """``File['/a']``, ``Class['foo']``: the name of the type in Puppet's messages."""
    if isinstance(reference, ClassType):
        return f"Class['{reference.name or ''}']"
    return f"{capitalize(reference.type_name or '')}['{reference.title}']"


SCALARS = frozenset({str, bool, int, float, type(None)})


def declared(value: Value) -> Value:
    """Return a value as a class's or define's parameter: references show as ``File[/a]``."""
    kind = value.__class__
    if kind is list:
        return [declared(item) for item in value] if has_reference(value) else value
    if kind is dict:
        if not has_reference(value):
            return value
        return {key: declared(item) for key, item in value.items()}
    if not is_reference(value):
        return value
    copy = replace(value)
    object.__setattr__(copy, "declared", reference_text(copy))
    return copy


def is_reference(value: Value) -> bool:
    """Return whether a value is a reference to a resource or class."""
    if value.__class__ is ResourceType:
        return value.title is not None
    return value.__class__ is ClassType and value.name is not None


def has_reference(value: Value) -> bool:
    """Return whether an array or hash contains a reference at any depth."""
    for item in value.values() if value.__class__ is dict else value:
        kind = item.__class__
        if kind in SCALARS:
            continue
        if (kind is list or kind is dict) and has_reference(item):
            return True
        if is_reference(item):
            return True
    return False


def flat(value: Value) -> list[Value]:
    """Return a value or nested arrays as one flat list."""
    if value.__class__ is not list:
        return [value]
    for part in value:
        if part.__class__ is list:
            return [item for part in value for item in flat(part)]
    return value[:]
