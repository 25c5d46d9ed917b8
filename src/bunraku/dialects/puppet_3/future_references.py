"""References of Puppet 3's future parser: any capitalised word is a resource type, known or not."""

from __future__ import annotations

from bunraku.runtime.state import Scope
from bunraku.types.model import ResourceType, Type
from bunraku.types.names import builtin_type

TYPES = frozenset(
    [
        "any",
        "array",
        "boolean",
        "callable",
        "catalogentry",
        "class",
        "collection",
        "data",
        "default",
        "enum",
        "float",
        "hash",
        "integer",
        "numeric",
        "optional",
        "pattern",
        "regexp",
        "resource",
        "runtime",
        "scalar",
        "string",
        "struct",
        "tuple",
        "type",
        "undef",
        "unit",
        "variant",
    ]
)
"""The types other than resource types; later ones are not there yet."""


def reference(_scope: Scope, name: str) -> Type:
    """Evaluate ``Integer``, ``File``, ``Nosuch``: a type by its name."""
    key = name.lower()
    found = builtin_type(key) if key in TYPES else None
    return found if found is not None else ResourceType(key)
