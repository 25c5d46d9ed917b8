"""Resources of a machine as Puppet code and as YAML, as ``puppet resource`` prints them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bunraku.providers.listing import Observed, ensure_first
from bunraku.types.convert.formats import format_value
from bunraku.types.model import BinaryType, CollectionType, StringType

FORMATS = {CollectionType(): "%#p", StringType(): "%p", BinaryType(): "%p"}
"""Arrays and hashes may take several lines."""


def manifest(resources: Iterable[Observed]) -> str:
    """Return resources as Puppet code; an empty line if there are none, as Puppet does."""
    return "\n".join(map(expression, resources)) + "\n"


def expression(resource: Observed) -> str:
    """Return the expression of one resource, with aligned arrows.

    >>> print(expression(Observed("user", "o'neil", {"ensure": "present", "uid": 7})))
    user { 'o\\'neil':
      ensure => 'present',
      uid    => 7,
    }
    """
    title = resource.title.replace("'", "\\'")
    return f"{resource.type} {{ '{title}':\n{attribute_lines(resource.attributes)}}}"


def attribute_lines(attributes: Mapping[str, Any]) -> str:
    """Return a line for each attribute."""
    width = max(map(len, attributes), default=0)
    return "".join(f"  {name:<{width}} => {shown(value)},\n" for name, value in attributes.items())


def shown(value: Any) -> str:
    """Return a value as Puppet code."""
    return format_value(value, FORMATS)


def hiera_data(resources: Sequence[Observed], type_name: str) -> str:
    """Return resources as YAML data for Hiera: type, title, attributes."""
    from bunraku.formats.yaml_writer import ruby_yaml_text

    titles = {one.title: ensure_first({**one.attributes, **one.names}) for one in resources}
    return ruby_yaml_text({type_name: titles or None})
