"""Calls of ``lookup``: keys that no data has, defaults and values in data of another type than they declare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.hiera.issues import NOT_FOUND, absent_keys
from bunraku.hiera.keys import parse_key
from bunraku.runtime.issues import ILLEGAL_ARGUMENT
from bunraku.syntax.nodes import Call, Hash, Name, Node, String
from bunraku.types.mismatch import ActualType, describe_mismatch
from bunraku.types.model import Type
from bunraku.types.relations.overlap import can_overlap, wrong_parts
from bunraku.workbench.analysis.hiera.options import options_of_key
from bunraku.workbench.analysis.hiera.value_types import type_of_data
from bunraku.workbench.analysis.hiera_layers import DataFile
from bunraku.workbench.analysis.inference import TYPE_NODES
from bunraku.workbench.analysis.names import written_name
from bunraku.workbench.analysis.state import Analysis
from bunraku.workbench.analysis.values import misfit

FUNCTIONS = frozenset({"lookup", "hiera", "hiera_array", "hiera_hash"})
"""Functions that fail for a key without a value, unless there is a default."""


@record()
class Lookup:
    """The arguments of a call: the key if it is written, the type, and what else is given."""

    key: str | None
    value_type: Node
    merge: Node | None = None
    default: Node | None = None


def check_call(analysis: Analysis, node: Call) -> None:
    """Check a call of ``lookup``, or of a function of Hiera 3."""
    function = (written_name(node.callee) or "").removeprefix("::")
    if function in FUNCTIONS:
        check_key(analysis, node, function)
    if function != "lookup":
        return
    found = lookup_of(node.arguments)
    if found is None:
        return
    expected = analysis.declared.of_node(found.value_type)
    check_default(analysis, found, expected)
    if found.key is not None and found.merge is None:
        check_data(analysis, node, found.key, expected)


def check_key(analysis: Analysis, node: Call, function: str) -> None:
    """Report a call with nothing but a key that no data has: it fails if all data can be read."""
    key = written_name(node.arguments[0]) if len(node.arguments) == 1 else None
    if key is None or node.block is not None or not is_certain(analysis, key):
        return
    if not values_of(analysis, key):
        found = analysis.report(NOT_FOUND, node, "error", name=key, **absent_keys(function, [key]))
        (analysis.unsure if is_of_absent_module(analysis, key) else analysis.findings).append(found)


def is_of_absent_module(analysis: Analysis, key: str) -> bool:
    """Return whether no module has the namespace of a key: one that is missing can have data for it."""
    namespace, separator, _ = key.removeprefix("::").partition("::")
    return bool(separator) and analysis.definitions.is_absent(namespace)


def lookup_of(arguments: Sequence[Node]) -> Lookup | None:
    """Return the arguments of a call that has a type."""
    if not arguments:
        return None
    key = written_name(arguments[0])
    options: dict[str, Node] = {}
    if isinstance(arguments[-1], Hash) and len(arguments) <= 2:
        for entry in arguments[-1].entries:
            if isinstance(entry.key, Name | String):
                options[entry.key.value] = entry.value
        if "name" in options:
            key = written_name(options["name"])
    names = ("value_type", "merge", "default_value")
    options |= dict(zip(names, arguments[1:], strict=False)) if not options else {}
    type_ = options.get("value_type")
    if type_ is None or not isinstance(type_, TYPE_NODES):
        return None
    merge = options.get("merge")
    is_first = merge is not None and written_name(merge) == "first"
    return Lookup(key, type_, None if is_first else merge, options.get("default_value"))


def check_default(analysis: Analysis, found: Lookup, expected: Type) -> None:
    """Report a default of another type; it is certain to be used only if no data has the key."""
    if found.default is None:
        return
    problem = misfit(analysis, expected, found.default, "the default value")
    if problem is None:
        return
    finding = analysis.report(ILLEGAL_ARGUMENT, found.default, mismatch=problem)
    certain = found.key is not None and is_certain(analysis, found.key)
    certain = certain and not values_of(analysis, found.key or "")
    (analysis.findings if certain else analysis.warnings).append(finding)


def is_certain(analysis: Analysis, key: str) -> bool:
    """Return whether all data for a key can be read.

    Without a hiera.yaml of the environment, the server may have a global one that is not here.
    """
    environment = analysis.definitions.environment
    layers = analysis.layers
    known = environment.path is not None and layers.of(None) is not None
    return known and not layers.are_opaque_for(key)


def values_of(analysis: Analysis, key: str) -> list[tuple[DataFile, Any]]:
    """Return the values that data has for a key, or that contain it."""
    try:
        return list(analysis.layers.values(parse_key(key).root))
    except PuppetError:
        return []


def check_data(analysis: Analysis, node: Node, key: str, expected: Type) -> None:
    """Report values in data that cannot be of the declared type."""
    values = values_of(analysis, key)
    conversions, merges = options_of_key(analysis.layers, key)
    if "." in key or conversions or merges - {"first", "default"}:
        return
    wrong = list(wrong_values(values, expected))
    certain = len(wrong) == len(values) and is_certain(analysis, key)
    for file, type_ in wrong[:1]:
        problem = describe_mismatch(
            f"the value of '{key}'", expected, ActualType(wrong_parts(expected, type_))
        )
        place = file.place(key)
        finding = analysis.report(ILLEGAL_ARGUMENT, node, mismatch=problem)
        finding = replace(finding, hint=f"value of '{key}' from {place.file}:{place.line}")
        (analysis.findings if certain else analysis.warnings).append(finding)


def wrong_values(
    values: Sequence[tuple[DataFile, Any]], expected: Type
) -> Iterator[tuple[DataFile, Type]]:
    """Yield the values that cannot be of a type: their files and types."""
    for file, value in values:
        type_ = type_of_data(value)
        if not can_overlap(expected, type_):
            yield file, type_
