"""The expressions that the definition of a type may contain.

Puppet does not evaluate the right side of ``type Name = …``: it reads it as a type. Only literals,
arrays and hashes of them, and types with such parameters can be read.
"""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.syntax import nodes
from bunraku.syntax.check.literals import PLAIN
from bunraku.syntax.nodes import Node

NO_LISTS = frozenset(
    {
        "array", "class", "collection", "float", "hash", "init", "integer", "iterable", "iterator",
        "notundef", "optional", "sensitive", "string", "timespan", "timestamp", "type", "variant",
    }
)  # fmt: skip
"""The types whose parameters may be in an array where a type is evaluated, but not where it is read."""


def variable_part(node: Node) -> Node | None:
    """Return the first part of a type, in the order of reading, that cannot be read.

    >>> from bunraku.base.source import Source
    >>> from bunraku.syntax.parser.parser import parse
    >>> type_ = parse(Source("Integer[0, $n]")).program.body
    >>> variable_part(type_).name
    'n'
    """
    return next(variable_parts(node), None)


def variable_parts(node: Node) -> Iterator[Node]:
    """Yield the parts of a type that cannot be read, inner ones first."""
    if node.__class__ in PLAIN:
        return
    match node:
        case nodes.Access(left=left, keys=keys):
            yield from (part for key in keys for part in variable_parts(key))
            if not can_be_read(left, keys):
                yield node
        case nodes.List(values=values):
            yield from (part for value in values for part in variable_parts(value))
        case nodes.Hash(entries=entries):
            for entry in entries:
                yield from variable_parts(entry.key)
                yield from variable_parts(entry.value)
        case nodes.ResourceDefaults(operations=operations):
            for operation in operations:
                yield from variable_parts(operation.value)
        case nodes.UnaryMinus(expression=inner) | nodes.Heredoc(text=inner):
            yield from variable_parts(inner)
        case _:
            yield node


def can_be_read(left: Node, keys: list[nodes.Expression]) -> bool:
    """Return whether a type can have parameters of these forms."""
    if not isinstance(left, nodes.Reference):
        return False
    name = left.value.lower().removeprefix("::")
    if name == "class" and len(keys) > 1:
        return False
    return name not in NO_LISTS or not any(key.__class__ is nodes.List for key in keys)
