"""The walk of ``tree_each`` over nested arrays, hashes and objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator as PythonIterator
from typing import Any

from bunraku.base.records import record
from bunraku.functions.core import issues
from bunraku.types.model import (
    ANY,
    ArrayType,
    HashType,
    ObjectExtensionType,
    ObjectType,
    Type,
    VariantType,
    resolved,
)
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import display
from bunraku.values.iterator import Iterator
from bunraku.values.keys import pairs
from bunraku.values.pcore import PcoreObject

Value = Any
Step = tuple[list[Value], Value]


@record()
class Plan:
    """The kinds of values to walk and to show."""

    container_type: Type | None
    root: bool
    containers: bool
    values: bool
    breadth: bool
    references: bool

    def children(self, value: Value) -> list[tuple[Value, Value]] | None:
        """Return the steps and values of a container; None for other values."""
        kind = value.__class__
        if self.container_type is not None and not is_instance(value, self.container_type):
            return None
        if kind is list or kind is Iterator:
            return list(enumerate(value))
        if kind is dict:
            return list(pairs(value))
        if isinstance(value, PcoreObject):
            return self.attributes(value)
        return None

    def attributes(self, value: PcoreObject) -> list[tuple[Value, Value]]:
        """Return the attributes of an object; references to others only if requested."""
        known = attributes_of(value)
        return [
            (name, item)
            for name, item in value.attributes.items()
            if self.references or known.get(name) != "reference"
        ]

    def shows(self, path: list[Value], is_container: bool) -> bool:
        """Return whether a value is shown; the root is if containers are and ``root`` is true."""
        if not (self.containers if is_container else self.values):
            return False
        return self.root or bool(path)


def attributes_of(value: PcoreObject) -> dict[str, str]:
    """Return the kinds of an object's attributes by name."""
    base = resolved(value.type)
    if isinstance(base, ObjectExtensionType):
        base = base.base
    if not isinstance(base, ObjectType):
        return {}
    return {name: item.kind for name, item in base.all_attributes().items()}


def tree_options(options: dict[Any, Value]) -> Plan:
    """Return the plan that the options of ``tree_each`` make."""

    def option(name: str, default: bool) -> bool:
        value = options.get(name)
        return default if value is None else bool(value)

    containers, values = option("include_containers", True), option("include_values", True)
    if not containers and not values:
        raise issues.NOTHING_INCLUDED()
    container_type = options.get("container_type")
    if container_type is not None and not holds(container_type):
        raise issues.CONTAINER_TYPE(actual=display(container_type))
    return Plan(
        container_type,
        # The root is a container: without containers it is not shown, even if requested.
        option("include_root", containers),
        containers,
        values,
        options.get("order") == "breadth_first",
        option("include_refs", False),
    )


def holds(type_: Type) -> bool:
    """Return whether a type has only arrays, hashes and objects."""
    type_ = resolved(type_)
    if isinstance(type_, VariantType):
        return all(map(holds, type_.types))
    if isinstance(type_, ObjectType | ObjectExtensionType):
        return True
    return is_assignable(ArrayType(), type_) or is_assignable(HashType(ANY, ANY), type_)


def depth_first(value: Value, plan: Plan) -> PythonIterator[Step]:
    """Yield the path and value of everything; the elements of a container follow it directly."""
    waiting: list[Step] = [([], value)]
    while waiting:
        path, item = waiting.pop()
        children = plan.children(item)
        if children is not None:
            waiting += [([*path, step], child) for step, child in reversed(children)]
        if plan.shows(path, children is not None):
            yield path, item


def breadth_first(value: Value, plan: Plan) -> PythonIterator[Step]:
    """Path and value of everything, level by level."""
    waiting: deque[Step] = deque([([], value)])
    while waiting:
        path, item = waiting.popleft()
        children = plan.children(item)
        if children is not None:
            waiting.extend(([*path, step], child) for step, child in children)
        if plan.shows(path, children is not None):
            yield path, item
