"""Values that no resource of a type of Puppet accepts, such as ``ensure => started`` of a service.

Only values that the code shows are checked, each without the others: literals, variables that are assigned
before, the values of an ``Enum``. Agents refuse them; the compile does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.providers.issues import INVALID_VALUE
from bunraku.providers.resource_type import ResourceType
from bunraku.syntax import nodes
from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.workbench.analysis.bindings import leaves
from bunraku.workbench.analysis.names import written_name, written_names
from bunraku.workbench.analysis.parameters import attributes, type_names
from bunraku.workbench.analysis.state import Analysis, ReplaceableValue

Value = Any
UNTITLED = "…"
"""Stands for a title that only a run can give."""
MOST_VALUES = 20
"""Most values of one expression that are tried."""


def check_attributes(analysis: Analysis, node: nodes.Resource) -> None:
    """Report wrong values of the attributes and titles of resources."""
    name = written_name(node.type_name)
    type_ = None if name is None else checked_type(analysis, name)
    if type_ is None:
        return
    for body in node.bodies:
        is_sure = node.form == "regular" and not isinstance(body.title, nodes.Default)
        title = written_name(body.title) or UNTITLED
        refused = [*refused_values(analysis, type_, title, body.operations)]
        if is_sure:
            refused += wrong_titles(analysis, type_, body)
        for attribute, finding in refused:
            if is_sure:
                analysis.replaceable.append(ReplaceableValue(type_.name, attribute, finding))
            else:
                analysis.warnings.append(finding)  # perhaps it is never realized, or replaced


def check_elsewhere(
    analysis: Analysis, node: nodes.ResourceDefaults | nodes.ResourceOverride | nodes.Collector
) -> None:
    """Report wrong values that defaults, overrides and collectors set: perhaps no resource gets them."""
    for name in set(type_names(analysis, node)):
        type_ = checked_type(analysis, name)
        if type_ is not None:
            found = refused_values(analysis, type_, UNTITLED, node.operations)
            analysis.warnings += [finding for _, finding in found]


def checked_type(analysis: Analysis, name: str) -> ResourceType | None:
    """Return the type of a name if its values are checked: in Puppet 3, numbers are texts."""
    key = name.lower().removeprefix("::")
    if analysis.definitions.resolved.rules.plain_numbers or analysis.define_named(key) is not None:
        return None
    return analysis.single_values.type_named(key)


def refused_values(
    analysis: Analysis,
    type_: ResourceType,
    title: str,
    operations: Iterable[nodes.AttributeOperation],
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield the attributes with wrong values, and what is wrong."""
    for one in shown_attributes(analysis, operations):
        for value in leaves(one.value):
            error = refused_value(analysis, type_, title, one.name, value)
            if error is not None:
                yield one.name, finding_of(analysis, error, one)
                break


def wrong_titles(
    analysis: Analysis, type_: ResourceType, body: nodes.ResourceBody
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield the titles that cannot name a resource, unless an attribute can name it."""
    if any(not isinstance(one, nodes.Attribute) for one in body.operations):
        return
    if attributes(body.operations).intersection(type_.names):
        return
    for node, title in written_names(body.title):
        error = analysis.single_values.refusal(type_, title, type_.namevar, title)
        if error is not None:
            yield type_.namevar, finding_of(analysis, error, node)


def refused_value(
    analysis: Analysis, type_: ResourceType, title: str, name: str, node: nodes.Node
) -> PuppetError | None:
    """Return why no value of an expression is accepted; None if one may be."""
    values = values_of(analysis.inference.of(node))
    error = None
    for value in values or ():
        if value is None:
            return None  # as if the attribute were not set
        error = analysis.single_values.refusal(type_, title, name, value)
        if error is None:
            return None
    return error


def finding_of(analysis: Analysis, error: PuppetError, node: nodes.Node) -> Diagnostic:
    """Return the finding of a refused value, or of a title, at its place."""
    arguments: dict[str, object] = {**error.arguments}
    return INVALID_VALUE.diagnostic(analysis.place(node), "error", **arguments)


# -- what the code shows ---------------------------------------------------------------------------


def shown_attributes(
    analysis: Analysis, operations: Iterable[nodes.AttributeOperation]
) -> Iterator[nodes.Attribute]:
    """Yield the attributes that operations set, those of hashes that the code shows among them."""
    for one in operations:
        if isinstance(one, nodes.Attribute):
            if one.operator == "=>":
                yield one
        elif (shown := shown_hash(analysis, one.value)) is not None:
            for entry in shown.entries:
                name = written_name(entry.key)
                if name is not None:
                    yield nodes.Attribute(entry.start, entry.end, name, "=>", entry.value)


def shown_hash(analysis: Analysis, node: nodes.Node) -> nodes.Hash | None:
    """Return the hash that an expression certainly is; None for one that only a run can give."""
    if isinstance(node, nodes.Hash):
        return node
    if isinstance(node, nodes.Variable):
        binding = analysis.inference.bindings.of(node)
        if binding is not None and len(binding.values) == 1:
            value = binding.values[0]
            return value if isinstance(value, nodes.Hash) else None
    return None


def values_of(type_: Type) -> list[Value] | None:
    """Return all values of a type that has few of them; None for other types.

    >>> values_of(m.EnumType(("a", "b"))), values_of(m.TupleType((m.IntegerType(1, 1),)))
    (['a', 'b'], [[1]])
    >>> values_of(m.StringType()) is None
    True
    """
    match m.resolved(type_):
        case m.StringType(value=str(text)):
            return [text]
        case m.EnumType(values=texts, case_insensitive=False) if texts:
            return [*texts] if len(texts) <= MOST_VALUES else None
        case m.IntegerType(low=int(low), high=high) if low == high:
            return [low]
        case m.FloatType(low=float(least), high=most) if least == most:
            return [least]
        case m.BooleanType(value=value):
            return [True, False] if value is None else [value]
        case m.UndefType():
            return [None]
        case m.OptionalType():
            return [None]  # at least undef is accepted
        case m.VariantType(types=types):
            return all_of(types)
        case m.TupleType(types=types) if types and m.TupleType(types).bounds == (
            len(types),
            len(types),
        ):
            return arrays_of(types)
    return None


def all_of(types: Sequence[Type]) -> list[Value] | None:
    """Return the values of several types; None if those of one are not known."""
    found: list[Value] = []
    for one in types:
        values = values_of(one)
        if values is None:
            return None
        found += values
    return found if len(found) <= MOST_VALUES else None


def arrays_of(types: Sequence[Type]) -> list[Value] | None:
    """Return the arrays whose elements are of some types; None if there are many."""
    parts: list[list[Value]] = []
    count = 1
    for one in types:
        values = values_of(one)
        if values is None:
            return None
        parts.append(values)
        count *= len(values)
        if count > MOST_VALUES:
            return None
    return [list(one) for one in product(*parts)]
