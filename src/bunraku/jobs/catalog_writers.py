"""The formats of a catalog: JSON as an agent gets it, YAML, and Puppet code."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.paths import relative
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.catalog.text import catalog_text
from bunraku.catalog.wire import catalog_to_data, numbers_in
from bunraku.formats.json import json_text
from bunraku.formats.quick_json import quick_text


@record(frozen=True)
class Shape:
    """The printed parts of a catalog; ``many`` selects the fast writer of indented JSON."""

    with_exported: bool = False
    many: bool = False

    def data(self, catalog: CompiledCatalog) -> dict[str, Any]:
        """Return the catalog as JSON data."""
        return catalog_to_data(catalog, with_exported=self.with_exported)


PLAIN = Shape()


def as_json(catalog: CompiledCatalog, shape: Shape = PLAIN) -> str:
    """Return the catalog as an agent gets it, as indented JSON."""
    data = shape.data(catalog)
    try:
        if shape.many:
            return quick_text(data, numbers_in(data)) + "\n"
        return json_text(data, indent=True) + "\n"
    except PuppetError:
        for resource in data["resources"]:
            with_place(resource)
        raise


def with_place(resource: dict[str, Any]) -> None:
    """Report values of a resource that JSON cannot represent, at the place of the resource."""
    try:
        json_text(resource)
    except PuppetError as error:
        raise error.at(Place(resource.get("file"), resource.get("line"))) from None


def as_yaml(catalog: CompiledCatalog, shape: Shape = PLAIN) -> str:
    """Return the catalog as YAML."""
    from bunraku.formats.yaml_writer import yaml_text

    return yaml_text(shape.data(catalog))


def as_text(catalog: CompiledCatalog, shape: Shape = PLAIN) -> str:
    """Return the resources in Puppet's notation."""
    return catalog_text(shape.data(catalog), relative)


def writer_of(
    form: str, shape: Shape = PLAIN, *, checks_values: bool = False
) -> Callable[[CompiledCatalog], str]:
    """Return the function that writes a catalog in a format, for this process or another.

    With ``checks_values``, the values of resources are checked as ``apply`` does.
    """
    if checks_values:
        return partial(as_valid, write_catalog=FORMATS[form], shape=shape)
    return partial(FORMATS[form], shape=shape)


def as_valid(
    catalog: CompiledCatalog, write_catalog: Callable[[CompiledCatalog, Shape], str], shape: Shape
) -> str:
    """Return the catalog in a format; raise PuppetError with all wrong values of its resources."""
    from bunraku.apply.validate import check_values

    check_values(Catalog(catalog_to_data(catalog)))
    return write_catalog(catalog, shape)


FORMATS = {"json": as_json, "yaml": as_yaml, "text": as_text}
"""Format → the function that writes it."""
EXTENSIONS = {"json": "json", "yaml": "yaml", "text": "pp"}
"""Format → the extension of a file in it."""
