"""Reads the transports of devices that modules define in Ruby, without running Ruby.

A module registers one in ``lib/puppet/transport/schema/NAME.rb`` with
``Puppet::ResourceApi.register_transport(name: …, desc: …, connection_info: …)``
(https://github.com/puppetlabs/puppet-specifications, Resource API, Transports).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place
from bunraku.ruby.schema.heredocs import heredoc_value
from bunraku.ruby.schema.issues import INVALID_TRANSPORT
from bunraku.ruby.schema.nodes import HANDLERS
from bunraku.ruby.schema.reader import Handler, SchemaReader, Stopped
from bunraku.ruby.schema.static_values import UNKNOWN, RubyScope, text

REQUIRED = ("name", "desc", "connection_info")


def float_value(_reader: SchemaReader, node: Any, _scope: RubyScope) -> Any:
    """Return a number with a fraction."""
    return float(text(node).replace("_", ""))


READING: Mapping[str, Handler] = {
    **HANDLERS,
    "float": float_value,
    "heredoc_beginning": heredoc_value,
}


def transports_in(source: str, path: str) -> list[dict[str, Any]]:
    """Return the definitions of the transports that the text of a Ruby file registers.

    Each has ``connection_info_order``, as the Resource API adds it. PuppetError for a definition that
    is wrong, or that only Ruby can compute.

    >>> text = (
    ...     "Puppet::ResourceApi.register_transport(name: 'a', desc: 'b', connection_info: {c: {}})"
    ... )
    >>> transports_in(text, "a.rb")
    [{'name': 'a', 'desc': 'b', 'connection_info': {'c': {}}, 'connection_info_order': ['c']}]
    """
    reader = SchemaReader(READING)
    try:
        reader.read_source(source, path)
    except Stopped as stopped:
        raise INVALID_TRANSPORT(reason=stopped.reason).at(Place(path, stopped.line)) from None
    for trouble in reader.troubles:
        raise INVALID_TRANSPORT(reason=trouble).at(Place(path))
    return [checked(definition, Place(path, line)) for definition, line in reader.transports]


def checked(definition: Any, place: Place) -> dict[str, Any]:
    """Return a definition that was registered at a place; PuppetError if it is wrong or unknown."""
    if definition is UNKNOWN:
        raise invalid("its definition is computed by Ruby code", place)
    if not isinstance(definition, dict):
        raise invalid("its definition is not a hash", place)
    for key in REQUIRED:
        if key not in definition:
            raise invalid(f"it requires '{key}'", place)
    unknown = [key for key, value in definition.items() if not is_data(value)]
    if unknown:
        raise invalid(f"'{unknown[0]}' is computed by Ruby code", place)
    if not isinstance(definition["connection_info"], dict):
        raise invalid("'connection_info' must be a hash", place)
    order = definition.get("connection_info_order")
    if order is None:
        return {**definition, "connection_info_order": list(definition["connection_info"])}
    if not isinstance(order, list):
        raise invalid("'connection_info_order' must be an array", place)
    return definition


def invalid(reason: str, place: Place) -> PuppetError:
    """Return the error of a transport."""
    return INVALID_TRANSPORT(reason=reason).at(place)


def is_data(value: Any) -> bool:
    """Return whether a value can be written as JSON."""
    if isinstance(value, list):
        return all(map(is_data, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_data(item) for key, item in value.items())
    return value is None or isinstance(value, str | int | float)
